import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'
import { fileJournal } from './journal/file-journal.ts'

const root = mkdtempSync(join(tmpdir(), 'run-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))

const waits: RunFunction<number, unknown> = (_, { steps }) => steps.wait('go')
const journalsIn = (...path: string[]) => readdirSync(join(...path)).filter((name) => name.endsWith('.journal'))

async function openWorker<Output>(folder: string, fn: RunFunction<number, Output>, problems: DurableError[] = []) {
  return await createFileEngine({ folder, fn, lookEveryMs: 20, onProblem: (problem) => problems.push(problem) })
}

describe('the folder of the runs', () => {
  it('keeps waiting runs in a separate folder until they are decided', async () => {
    const folder = newFolder()
    await using engine = await openWorker(folder, waits)
    await engine.start('a', 1)
    await expect.poll(() => journalsIn(folder, 'waiting')).toEqual(['a.journal'])
    expect(journalsIn(folder)).toEqual([])
    await engine.signal('a', 'something else', 1)
    expect((await engine.status('a'))?.state).toBe('waiting')
    await engine.signal('a', 'go', 'gone')
    expect(await engine.result('a')).toBe('gone')
    expect(journalsIn(folder, 'waiting')).toEqual([])
    // The result is available once the run's end is recorded, which happens before its file is moved.
    await expect.poll(() => journalsIn(folder, 'ended')).toEqual(['a.journal'])
  })

  it('makes the health check fail when it is gone', async () => {
    const folder = newFolder()
    await using engine = await openWorker(folder, waits)
    expect(await engine.health()).toEqual({ ok: true })
    rmSync(folder, { recursive: true })
    expect(await engine.health()).toMatchObject({ ok: false, problem: { code: 'cannot_open' } })
  })

  it('loses expired runs but no damaged journals and no runs whose end was not recorded', async () => {
    const folder = newFolder()
    {
      await using engine = await openWorker(folder, async (input, run) => (input === 1 ? await waits(input, run) : input))
      await engine.run('over', 2)
      await engine.run('damaged', 2)
      await engine.start('waits', 1)
      await expect.poll(() => journalsIn(folder, 'waiting')).toEqual(['waits.journal'])
    }
    // As after a crash of the machine that kept a move and lost the record before it.
    renameSync(join(folder, 'waiting/waits.journal'), join(folder, 'ended/waits.journal'))
    const path = join(folder, 'ended/damaged.journal')
    writeFileSync(path, readFileSync(path, 'utf8').replace('damaged', 'dAmaged'))
    await using engine = await createFileEngine({ folder, fn: waits, lookEveryMs: 20, retentionMs: 1 })
    await expect.poll(() => journalsIn(folder, 'ended')).toEqual(['damaged.journal', 'waits.journal'])
    await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith('.owner'))).toEqual([])
    await expect(engine.remove('damaged')).rejects.toMatchObject({ code: 'broken' })
  })

  it('is repaired after a crash between a record and a move', async () => {
    const folder = newFolder()
    {
      await using engine = await openWorker(folder, async (input, run) => (input === 1 ? await waits(input, run) : input))
      await engine.run('over', 2)
      await engine.start('waits', 1)
      await expect.poll(() => journalsIn(folder, 'waiting')).toEqual(['waits.journal'])
    }
    renameSync(join(folder, 'waiting/waits.journal'), join(folder, 'waits.journal'))
    renameSync(join(folder, 'ended/over.journal'), join(folder, 'over.journal'))
    {
      await using client = await createFileEngine<number, unknown>({ folder, lookEveryMs: 20 })
      expect((await client.list({ state: 'waiting' })).map(({ id }) => id)).toEqual(['waits'])
      expect((await client.list({ state: 'finished' })).map(({ id }) => id)).toEqual(['over'])
      expect(await client.result('over')).toBe(2)
    }
    await using engine = await openWorker(folder, waits)
    await expect.poll(() => journalsIn(folder)).toEqual([])
    expect(journalsIn(folder, 'waiting')).toEqual(['waits.journal'])
    expect(journalsIn(folder, 'ended')).toEqual(['over.journal'])
    await engine.signal('waits', 'go', 1)
    expect(await engine.result('waits')).toBe(1)
  })

  it('starts a run whose process was killed before recording the start, and otherwise forgets it', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    for (const id of ['a', 'b']) await (await fileJournal(join(folder, `${id}.journal`))).close()
    await using engine = await openWorker(folder, async (input) => input)
    expect(await engine.run('a', 1)).toBe(1)
    await expect.poll(() => existsSync(join(folder, 'b.journal'))).toBe(false)
    expect(await engine.status('b')).toBeUndefined()
  })

  it('does not lose an ended run to an empty journal of the same name', async () => {
    const folder = newFolder()
    let executed = 0
    await using engine = await openWorker(folder, async (input, { steps }) => steps.run('a', async () => input + ++executed))
    expect(await engine.run('a', 1)).toBe(2)
    const before = readFileSync(join(folder, 'ended/a.journal'), 'utf8')
    writeFileSync(join(folder, 'a.journal'), '')
    expect(await engine.run('a', 1)).toBe(2)
    await expect.poll(() => existsSync(join(folder, 'a.journal'))).toBe(false)
    expect(readFileSync(join(folder, 'ended/a.journal'), 'utf8')).toBe(before)
    expect(await engine.run('a', 1)).toBe(2)
    expect((await engine.status('a'))?.state).toBe('finished')
    expect(executed).toBe(1)
  })

  it('retries a journal that cannot be moved with growing delays, and continues with the others', async () => {
    const folder = newFolder()
    const problems: DurableError[] = []
    let executed = 0
    const fn: RunFunction<number, number> = async (input, { id }) => {
      if (id === 'a') mkdirSync(join(folder, 'ended/a.journal'))
      return input + ++executed
    }
    // Only this test advances the time.
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const pass = (ms: number) => {
      now += ms
    }
    const someLooks = () => new Promise((resolve) => setTimeout(resolve, 100))
    await using engine = await openWorker(folder, fn, problems)
    expect(await engine.run('a', 1)).toBe(2)
    expect(await engine.run('b', 1)).toBe(3)
    for (const [tries, waitMs] of [
      [1, 1000],
      [2, 2000],
    ] as const) {
      await expect.poll(() => problems.length).toBe(tries)
      pass(waitMs - 1)
      await someLooks()
      expect(problems.length).toBe(tries)
      pass(1)
    }
    await expect.poll(() => problems.length).toBe(3)
    for (const problem of problems)
      expect(problem).toMatchObject({ code: 'cannot_open', message: expect.not.stringContaining(root) })
    expect(await engine.run('c', 1)).toBe(4)
    rmdirSync(join(folder, 'ended/a.journal'))
    pass(4000)
    await expect.poll(() => journalsIn(folder, 'ended').sort()).toEqual(['a.journal', 'b.journal', 'c.journal'])
    expect(await engine.result('a')).toBe(2)
    expect(executed).toBe(3)
  })

  it('may contain other files, and reports an unreadable journal once without hiding others', async () => {
    const folder = newFolder()
    const problems: DurableError[] = []
    mkdirSync(folder)
    for (const name of ['My Notes.journal', 'A.journal', 'notes.txt']) writeFileSync(join(folder, name), 'x')
    await using engine = await openWorker(folder, async (input) => input, problems)
    expect(await engine.run('good', 1)).toBe(1)
    const path = join(folder, 'ended/good.journal')
    writeFileSync(join(folder, 'bad.journal'), readFileSync(path, 'utf8').replace('"input":1', '"input":2'))
    await expect.poll(() => problems.map(({ code }) => code)).toEqual(['broken'])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(problems.length).toBe(1)
    expect((await engine.list()).map(({ id }) => id)).toEqual(['good'])
    expect(problems.map(({ code }) => code)).toEqual(['broken', 'broken'])
    await expect(engine.status('bad')).rejects.toMatchObject({ code: 'broken' })
    await expect(engine.result('bad')).rejects.toMatchObject({ code: 'broken' })
  })

  it('releases a run whose lock could not be removed at first', async () => {
    const folder = newFolder()
    const problems: DurableError[] = []
    const lock = join(folder, 'a.journal.owner')
    const fn: RunFunction<number, unknown> = async (_, { steps }) => {
      await steps.run('a', async () => {
        if (problems.length > 0) return
        renameSync(lock, `${lock}.kept`)
        mkdirSync(lock)
      })
      return await steps.wait('go')
    }
    await using engine = await openWorker(folder, fn, problems)
    await engine.start('a', 1)
    await expect.poll(() => problems.length).toBe(1)
    expect(problems[0]).toMatchObject({ code: 'cannot_open', message: expect.not.stringContaining(root) })
    expect((await engine.status('a'))?.state).toBe('waiting')
    rmdirSync(lock)
    renameSync(`${lock}.kept`, lock)
    await using client = await createFileEngine<number, unknown>({ folder, lookEveryMs: 20 })
    await expect.poll(async () => (await client.status('a'))?.state).toBe('waiting')
    await client.signal('a', 'go', 'gone')
    expect(await engine.result('a')).toBe('gone')
    expect(problems.length).toBe(1)
  })

  it('removes only locks of processes that were killed before they created a journal', async () => {
    const folder = newFolder()
    const client = await createFileEngine<number, unknown>({ folder })
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const journal = await fileJournal(join(folder, 'alive.journal'))
    const owner = JSON.parse(readFileSync(join(folder, 'alive.journal.owner'), 'utf8'))
    rmSync(join(folder, 'alive.journal'))
    for (const id of ['a', 'b'])
      writeFileSync(join(folder, `${id}.journal.owner`), JSON.stringify({ ...owner, pid, started: null }))
    await using engine = await openWorker(folder, async (input) => input)
    await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith('.owner'))).toEqual(['alive.journal.owner'])
    expect(await engine.run('a', 1)).toBe(1)
    await journal.close()
    await client.close()
  })

  it('continues when the folder of ended runs was deleted', async () => {
    const folder = newFolder()
    const problems: DurableError[] = []
    await using engine = await openWorker(folder, async (input) => input, problems)
    expect(await engine.run('a', 1)).toBe(1)
    for (const place of ['ended', 'waiting']) rmSync(join(folder, place), { recursive: true })
    expect(await engine.list()).toEqual([])
    expect(await engine.run('b', 2)).toBe(2)
    await expect.poll(() => existsSync(join(folder, 'ended/b.journal'))).toBe(true)
    expect((await engine.list({ state: 'finished' })).map(({ id }) => id)).toEqual(['b'])
    expect(problems).toEqual([])
  })

  it('reports with a code that it is gone, without a path', async () => {
    const folder = newFolder()
    const problems: DurableError[] = []
    await using engine = await openWorker(folder, async (input) => input, problems)
    rmSync(folder, { recursive: true })
    const gone = { code: 'cannot_open', message: expect.not.stringContaining(root) }
    await expect(engine.list()).rejects.toMatchObject(gone)
    await expect(engine.run('a', 1)).rejects.toMatchObject(gone)
    await expect.poll(() => problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatchObject(gone)
    await engine.close()
    await expect(engine.list()).rejects.toMatchObject({ code: 'closed' })
  })
})
