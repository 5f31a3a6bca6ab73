import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotDecided } from '@x/react-agent/steps'
import { describe, expect, it } from 'vitest'
import { journalPaths } from '../../../test/file/journal/folder.ts'
import { fileJournal } from './file-journal.ts'

const newPath = journalPaths()
const never = () => Promise.reject(new Error('It was executed.'))

describe('a journal in a file', () => {
  it('returns recorded results without executing, even in a later process', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path)
      expect(await journal.run('model-1', async () => ({ text: 'é\n\u2028', calls: [1, null] }))).toEqual({
        text: 'é\n\u2028',
        calls: [1, null],
      })
      expect(await journal.run('model-1', never)).toEqual({ text: 'é\n\u2028', calls: [1, null] })
    }
    await using journal = await fileJournal(path)
    expect(await journal.run('model-1', never)).toEqual({ text: 'é\n\u2028', calls: [1, null] })
  })

  it('writes a record before the step resolves', async () => {
    const path = newPath()
    await using journal = await fileJournal(path)
    await journal.run('a', async () => 1)
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines[0]).toBe('{"format":"durable-journal","version":1}')
    expect(JSON.parse(lines[1] as string)).toEqual({ sum: expect.stringMatching(/^[0-9a-f]{8}$/), step: 'a', value: 1 })
  })

  it('executes a rejected step again', async () => {
    await using journal = await fileJournal(newPath())
    await expect(journal.run('a', () => Promise.reject(new Error('no power')))).rejects.toThrow('no power')
    expect(await journal.run('a', async () => 'on')).toBe('on')
  })

  it('first returns what it returns on replay', async () => {
    const path = newPath()
    const odd = Object.assign(Object.create(null), {
      a: -0,
      none: undefined,
      [Symbol('s')]: 1,
      list: Object.assign([1], { x: 1 }),
    })
    const same = { a: -0, list: [1] }
    {
      await using journal = await fileJournal(path)
      expect(await journal.run('a', async () => odd)).toStrictEqual(same)
      await journal.decide('b', -0)
      expect(await journal.wait('b')).toBe(-0)
    }
    await using journal = await fileJournal(path)
    expect(await journal.run('a', never)).toStrictEqual(same)
    expect(await journal.wait('b')).toBe(-0)
  })

  it('accepts a step that returns nothing', async () => {
    await using journal = await fileJournal(newPath())
    await journal.run('a', async () => {})
    expect(await journal.run('a', never)).toBeUndefined()
  })

  it('returns a new copy each time', async () => {
    await using journal = await fileJournal(newPath())
    await journal.run('a', async () => ({ list: [1] }))
    const first = await journal.run<{ list: number[] }>('a', never)
    first.list.push(2)
    expect(await journal.run('a', never)).toEqual({ list: [1] })
  })

  it('records concurrent steps in whatever order they end', async () => {
    const path = newPath()
    const keys = Array.from({ length: 200 }, (_, index) => `call-${index}`)
    {
      await using journal = await fileJournal(path)
      await Promise.all(keys.map((key, index) => journal.run(key, () => wait(index % 7, key))))
    }
    await using journal = await fileJournal(path)
    expect(await Promise.all(keys.map((key) => journal.run(key, never)))).toEqual(keys)
  })

  it('refuses a step whose key is running, before it executes', async () => {
    await using journal = await fileJournal(newPath())
    const first = journal.run('a', () => wait(5, 1))
    await expect(journal.run('a', never)).rejects.toMatchObject({ code: 'key_in_use' })
    expect(await first).toBe(1)
  })

  it.each(['__proto__', 'constructor', 'toString', '', '"\n\u0000', '\ud800'])('accepts the key %j', async (key) => {
    const path = newPath()
    {
      await using journal = await fileJournal(path)
      await journal.run(key, async () => JSON.parse('{"__proto__":{"polluted":true}}'))
      await journal.decide(key, 'yes')
    }
    await using journal = await fileJournal(path)
    expect(JSON.stringify(await journal.run(key, never))).toBe('{"__proto__":{"polluted":true}}')
    expect(await journal.wait(key)).toBe('yes')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('can be opened without fsync and reads the same', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path, { fsync: false })
      await journal.run('a', async () => 1)
    }
    await using journal = await fileJournal(path)
    expect(await journal.run('a', never)).toBe(1)
  })

  it('is a file that only its user can read', async () => {
    const path = newPath()
    await using _journal = await fileJournal(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('records nothing after it is closed', async () => {
    const path = newPath()
    const journal = await fileJournal(path)
    // The expectation is set up first, because the promise may reject while the journal is still closing.
    const late = expect(journal.run('late', () => wait(20, 1))).rejects.toMatchObject({ code: 'closed' })
    await Promise.all([journal.close(), journal.close()])
    await late
    await expect(journal.run('a', never)).rejects.toMatchObject({ code: 'closed' })
    await expect(journal.wait('a')).rejects.toMatchObject({ code: 'closed' })
    await using again = await fileJournal(path)
    expect(await again.run('late', async () => 2)).toBe(2)
  })

  it('refuses a key that is not a string, and can be read afterwards', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path)
      for (const key of [5, undefined, null] as unknown as string[]) {
        await expect(journal.run(key, never)).rejects.toMatchObject({ code: 'invalid_value' })
        await expect(journal.decide(key, 1)).rejects.toMatchObject({ code: 'invalid_value' })
        await expect(journal.wait(key)).rejects.toMatchObject({ code: 'invalid_value' })
      }
    }
    await using again = await fileJournal(path)
    expect(await again.run('a', async () => 1)).toBe(1)
  })

  it('reports that it cannot be opened without naming a folder', async () => {
    const path = join(dirname(newPath()), 'missing', 'run.journal')
    await expect(fileJournal(path)).rejects.toMatchObject({
      code: 'cannot_open',
      message: "The journal cannot be opened (ENOENT). Its folder doesn't exist. Create it first.",
    })
  })

  it('has one owner under all its names', async () => {
    const path = newPath()
    await using _journal = await fileJournal(path)
    symlinkSync(path, `${path}.link`)
    await expect(fileJournal(`${path}.link`)).rejects.toMatchObject({ code: 'in_use' })
  })

  it.skipIf(process.platform === 'win32').each(['a pipe', 'a directory', 'a link to a device', 'a link to nothing'])(
    'is refused when its file is %s',
    async (kind) => {
      const path = newPath()
      if (kind === 'a pipe') execFileSync('mkfifo', [path])
      else if (kind === 'a directory') mkdirSync(path)
      else symlinkSync(kind === 'a link to a device' ? '/dev/zero' : `${path}.new`, path)
      await expect(fileJournal(path)).rejects.toMatchObject({ code: 'not_a_journal' })
      expect(existsSync(`${path}.new`)).toBe(false)
      expect(existsSync(`${path}.owner`)).toBe(false)
    },
  )

  it('releases the file when it cannot be read', async () => {
    const path = newPath()
    writeFileSync(path, 'Dear diary')
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(fileJournal(path)).rejects.toMatchObject({ code: 'not_a_journal' })
    }
    expect(readFileSync(path, 'utf8')).toBe('Dear diary')
  })
})

describe('a decision', () => {
  it('does not exist until it is recorded', async () => {
    await using journal = await fileJournal(newPath())
    await expect(journal.wait('approval-1')).rejects.toBeInstanceOf(NotDecided)
    await expect(journal.wait('approval-1')).rejects.toMatchObject({ code: 'not_decided', key: 'approval-1' })
    await journal.decide('approval-1', { approved: true })
    expect(await journal.wait('approval-1')).toEqual({ approved: true })
  })

  it('may be recorded before it is awaited, and by a process that executes nothing', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path)
      await journal.decide('approval-1', false)
    }
    await using journal = await fileJournal(path)
    expect(await journal.wait('approval-1')).toBe(false)
  })

  it('is final', async () => {
    await using journal = await fileJournal(newPath())
    await journal.decide('a', 1)
    await expect(journal.decide('a', 2)).rejects.toMatchObject({ code: 'already_decided' })
    expect(await journal.wait('a')).toBe(1)
  })

  it('is independent of a step with the same key', async () => {
    await using journal = await fileJournal(newPath())
    await journal.decide('a', 'decided')
    expect(await journal.run('a', async () => 'done')).toBe('done')
    expect(await journal.wait('a')).toBe('decided')
  })
})

async function wait<T>(ms: number, value: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return value
}
