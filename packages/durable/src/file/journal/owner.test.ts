import { spawnSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { isOwned } from '@x/file-owner'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { journalPaths } from '../../../test/file/journal/folder.ts'
import { fileJournal } from './file-journal.ts'
import { own } from './owner.ts'

const newPath = journalPaths()

/** Returns the content of this process's owner file, with changes. */
function ownerFile(path: string, changes: object = {}): string {
  const { release } = own(path)
  const owner = JSON.parse(readFileSync(`${path}.owner`, 'utf8'))
  release()
  return JSON.stringify({ ...owner, ...changes })
}

/** Calls `act` just before the first file is written, renamed or removed. */
function beforeChange(act: () => void): void {
  const originals = { writeFileSync: fs.writeFileSync, renameSync: fs.renameSync, unlinkSync: fs.unlinkSync }
  const restore = () => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
  }
  const first =
    (call: unknown) =>
    (...args: unknown[]) => {
      restore()
      act()
      ;(call as (...args: unknown[]) => void)(...args)
    }
  Object.assign(fs, Object.fromEntries(Object.entries(originals).map(([name, call]) => [name, first(call)])))
  syncBuiltinESMExports()
  onTestFinished(restore)
}

function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

describe('the owner of a journal', () => {
  it('is unique', async () => {
    const path = newPath()
    {
      await using _journal = await fileJournal(path)
      await expect(fileJournal(path)).rejects.toMatchObject({
        code: 'in_use',
        message: `The journal "${basename(path)}" is in use: this process already has it open. Close that journal first.`,
      })
    }
    await using _again = await fileJournal(path)
    expect(existsSync(`${path}.owner`)).toBe(true)
  })

  it('is unique even if its process was suspended while it created its file', () => {
    const path = newPath()
    const before = Date.now() / 1000 - 5
    const release = vi.fn()
    beforeChange(() => {
      if (existsSync(`${path}.owner`)) utimesSync(`${path}.owner`, before, before)
      release.mockImplementation(own(path).release)
    })
    expect(() => own(path)).toThrow(expect.objectContaining({ code: 'in_use' }))
    expect(isOwned(path)).toBe(true)
    release()
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual([])
  })

  it('can be replaced beside a journal whose name is as long as that of any run', () => {
    const path = join(dirname(newPath()), `${'x'.repeat(200)}.journal`)
    const guard = `${path}.owner.takeover`
    for (const file of [`${path}.owner`, guard]) writeFileSync(file, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    own(path).release()
    expect([existsSync(`${path}.owner`), existsSync(guard)]).toEqual([false, false])
  })

  it('is unique on a file system without links', () => {
    const path = newPath()
    const { linkSync } = fs
    const restore = () => {
      Object.assign(fs, { linkSync })
      syncBuiltinESMExports()
    }
    onTestFinished(restore)
    const refuse = vi.fn(() => {
      throw Object.assign(new Error('no links'), { code: 'EPERM' })
    })
    Object.assign(fs, { linkSync: refuse })
    syncBuiltinESMExports()
    const { release } = own(path)
    expect(refuse).toHaveBeenCalledOnce()
    expect(() => own(path)).toThrow(expect.objectContaining({ code: 'in_use' }))
    release()
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual([])
  })

  it('is replaced once it is dead, and its successor learns whether it was busy', () => {
    const path = newPath()
    const busy = ownerFile(path, { pid: deadProcess() })
    const seen: boolean[] = []
    for (const text of [busy, `${busy}\n`]) {
      writeFileSync(`${path}.owner`, text)
      own(path, (wasBusy) => seen.push(wasBusy)).release()
    }
    const owner = own(path)
    owner.markBusy()
    expect(readFileSync(`${path}.owner`, 'utf8')).toMatch(/\}\n$/)
    expect(isOwned(path)).toBe(true)
    owner.release()
    expect(seen).toEqual([false, true])
  })

  it('keeps the journal when another is refused', async () => {
    const path = newPath()
    await using journal = await fileJournal(path)
    await expect(fileJournal(path)).rejects.toThrow()
    await expect(fileJournal(path)).rejects.toThrow()
    expect(await journal.run('a', async () => 1)).toBe(1)
  })

  it('is replaced when its process is dead', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(path, { pid: deadProcess(), started: null }))
    own(path).release()
    expect(existsSync(`${path}.owner`)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('is replaced when another process has its process id', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(path, { started: '1' }))
    own(path).release()
    expect(existsSync(`${path}.owner`)).toBe(false)
  })

  it('stays the same while its process runs', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(path, { pid: process.ppid, started: null }))
    expect(() => own(path)).toThrow(`the process ${process.ppid} has it open. Close it there.`)
  })

  it('is not replaced when it is on another machine, and the error names the file to delete', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(path, { pid: deadProcess(), host: 'elsewhere' }))
    expect(() => own(path)).toThrow(
      `a process on another machine or in another container has it open (elsewhere). If that process is dead, delete "${basename(path)}.owner".`,
    )
  })

  it('is replaced a second later when it was killed while writing its file', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, '{"pid":')
    vi.spyOn(Date, 'now').mockReturnValue(statSync(`${path}.owner`).mtimeMs)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(() => own(path)).toThrow('another process has just opened it. Try again later')
    const before = Date.now() / 1000 - 5
    utimesSync(`${path}.owner`, before, before)
    own(path).release()
  })

  it('is not considered dead because its file cannot be read', () => {
    const path = newPath()
    mkdirSync(`${path}.owner`)
    const before = Date.now() / 1000 - 60
    utimesSync(`${path}.owner`, before, before)
    expect(isOwned(path)).toBe(true)
    expect(() => own(path)).toThrow(expect.objectContaining({ code: 'cannot_open' }))
  })

  it('keeps the guard of a process that removed a leftover guard first', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    const guard = `${path}.owner.takeover`
    writeFileSync(guard, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    const alive = ownerFile(newPath(), { pid: process.ppid, started: null })
    beforeChange(() => {
      rmSync(guard)
      writeFileSync(guard, alive)
    })
    expect(() => own(path)).toThrow('another process is taking it over. Try again.')
    expect(readFileSync(guard, 'utf8')).toBe(alive)
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.owner.takeover.`))).toEqual([])
  })

  it('is replaced by one process only', () => {
    const path = newPath()
    writeFileSync(`${path}.owner`, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    const guard = `${path}.owner.takeover`
    // This is the guard of a suspended process.
    writeFileSync(guard, ownerFile(newPath(), {}))
    const before = Date.now() / 1000 - 60
    utimesSync(guard, before, before)
    expect(() => own(path)).toThrow('another process is taking it over. Try again.')
    // This is the guard of a dead process.
    writeFileSync(guard, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    own(path).release()
    // This owner file is from a process that was killed while writing it.
    writeFileSync(`${path}.owner`, ownerFile(newPath(), { pid: deadProcess(), started: null }))
    writeFileSync(guard, '')
    expect(() => own(path)).toThrow('another process is taking it over. Try again.')
    utimesSync(guard, before, before)
    own(path).release()
  })
})
