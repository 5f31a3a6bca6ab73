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
  it('gives what was recorded, also to a later process, without executing', async () => {
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

  it('has a record in the file before the step resolves', async () => {
    const path = newPath()
    await using journal = await fileJournal(path)
    await journal.run('a', async () => 1)
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines[0]).toBe('{"format":"durable-journal","version":1}')
    expect(JSON.parse(lines[1] as string)).toEqual({ sum: expect.stringMatching(/^[0-9a-f]{8}$/), step: 'a', value: 1 })
  })

  it('executes a step again that rejected', async () => {
    await using journal = await fileJournal(newPath())
    await expect(journal.run('a', () => Promise.reject(new Error('no power')))).rejects.toThrow('no power')
    expect(await journal.run('a', async () => 'on')).toBe('on')
  })

  it('gives at first what it gives again', async () => {
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

  it('takes a step that gives nothing', async () => {
    await using journal = await fileJournal(newPath())
    await journal.run('a', async () => {})
    expect(await journal.run('a', never)).toBeUndefined()
  })

  it('gives a value of its own each time, so that no reader changes it for another', async () => {
    await using journal = await fileJournal(newPath())
    await journal.run('a', async () => ({ list: [1] }))
    const first = await journal.run<{ list: number[] }>('a', never)
    first.list.push(2)
    expect(await journal.run('a', never)).toEqual({ list: [1] })
  })

  it('keeps the records of steps that run together, in whatever order they end', async () => {
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

  it.each(['__proto__', 'constructor', 'toString', '', '"\n\u0000', '\ud800'])('takes the key %j', async (key) => {
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

  it('may be opened without bringing records to the disk, and reads the same', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path, { fsync: false })
      await journal.run('a', async () => 1)
    }
    await using journal = await fileJournal(path)
    expect(await journal.run('a', never)).toBe(1)
  })

  it('is a file that only its owner may read', async () => {
    const path = newPath()
    await using _journal = await fileJournal(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('records nothing after it was closed', async () => {
    const path = newPath()
    const journal = await fileJournal(path)
    // Expected from the beginning: it may reject while the journal is still closing.
    const late = expect(journal.run('late', () => wait(20, 1))).rejects.toMatchObject({ code: 'closed' })
    await Promise.all([journal.close(), journal.close()])
    await late
    await expect(journal.run('a', never)).rejects.toMatchObject({ code: 'closed' })
    await expect(journal.wait('a')).rejects.toMatchObject({ code: 'closed' })
    await using again = await fileJournal(path)
    expect(await again.run('late', async () => 2)).toBe(2)
  })

  it('refuses a key that is no text, and can be read afterwards', async () => {
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

  it('says that it cannot be opened without naming a folder', async () => {
    const path = join(dirname(newPath()), 'missing', 'run.journal')
    await expect(fileJournal(path)).rejects.toMatchObject({
      code: 'cannot_open',
      message: 'The journal cannot be opened (ENOENT). Its folder is not there: make that first.',
    })
  })

  it('has one owner under all its names', async () => {
    const path = newPath()
    await using _journal = await fileJournal(path)
    symlinkSync(path, `${path}.link`)
    await expect(fileJournal(`${path}.link`)).rejects.toMatchObject({ code: 'in_use' })
  })

  it.skipIf(process.platform === 'win32').each(['a pipe', 'a directory', 'a link to a device', 'a link to nothing'])(
    'is no journal when its file is %s',
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

  it('leaves the file to others when it cannot be read', async () => {
    const path = newPath()
    writeFileSync(path, 'Dear diary')
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(fileJournal(path)).rejects.toMatchObject({ code: 'not_a_journal' })
    }
    expect(readFileSync(path, 'utf8')).toBe('Dear diary')
  })
})

describe('a decision', () => {
  it('is not there until it is recorded', async () => {
    await using journal = await fileJournal(newPath())
    await expect(journal.wait('approval-1')).rejects.toBeInstanceOf(NotDecided)
    await expect(journal.wait('approval-1')).rejects.toMatchObject({ code: 'not_decided', key: 'approval-1' })
    await journal.decide('approval-1', { approved: true })
    expect(await journal.wait('approval-1')).toEqual({ approved: true })
  })

  it('may be recorded before anybody waits, and by a process that runs nothing', async () => {
    const path = newPath()
    {
      await using journal = await fileJournal(path)
      await journal.decide('approval-1', false)
    }
    await using journal = await fileJournal(path)
    expect(await journal.wait('approval-1')).toBe(false)
  })

  it('stays as it is', async () => {
    await using journal = await fileJournal(newPath())
    await journal.decide('a', 1)
    await expect(journal.decide('a', 2)).rejects.toMatchObject({ code: 'already_decided' })
    expect(await journal.wait('a')).toBe(1)
  })

  it('is none of the steps of the same key', async () => {
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
