import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileJournal } from './file-journal.ts'
import { readJournal } from './read-journal.ts'
import { FIRST_LINE } from './record.ts'
import { journalPaths } from './test-folder.ts'

const newPath = journalPaths()

const records = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue()), {
  minLength: 1,
  maxLength: 6,
  selector: ([key]) => key,
})

async function write(path: string, entries: readonly (readonly [string, unknown])[]): Promise<Buffer> {
  await using journal = await fileJournal(path, { fsync: false })
  for (const [key, value] of entries) await journal.run(key, async () => value)
  return readFileSync(path)
}

describe('the file of a journal', () => {
  it('cut at any byte gives the records that were whole, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (entries) => {
        const whole = await write(newPath(), entries)
        for (let length = 0; length <= whole.length; length++) {
          const cut = whole.subarray(0, length)
          const { lines, length: kept } = readJournal(cut, 'run.journal')
          expect(kept).toBe(cut.lastIndexOf('\n') + 1)
          const complete = cut.toString('latin1').split('\n').length - 2
          expect(lines.map(({ key }) => key)).toEqual(entries.slice(0, Math.max(0, complete)).map(([key]) => key))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('cut at any byte is opened, replayed and gone on with', async () => {
    const entries = [
      ['model-1', { text: 'Zürich €' }],
      ['intent-1', 'token'],
      ['call-1', [1, 2]],
    ] as const
    const whole = await write(newPath(), entries)
    for (let length = 0; length <= whole.length; length++) {
      const path = newPath()
      writeFileSync(path, whole.subarray(0, length))
      const executed: string[] = []
      for (let opening = 0; opening < 2; opening++) {
        await using journal = await fileJournal(path, { fsync: false })
        for (const [key, value] of entries) {
          expect(
            await journal.run<unknown>(key, async () => {
              executed.push(key)
              return value
            }),
          ).toEqual(value)
        }
      }
      const complete = Math.max(0, whole.subarray(0, length).toString('latin1').split('\n').length - 2)
      expect(executed).toEqual(entries.slice(complete).map(([key]) => key))
      expect(readFileSync(path)).toEqual(whole)
    }
  })

  it('is refused when any byte before the last line feed is another, and left as it is', async () => {
    const path = newPath()
    const whole = await write(path, [
      ['a', { text: 'é' }],
      ['b', 1],
    ])
    for (let index = 0; index < whole.length; index++) {
      const damaged = Buffer.from(whole)
      damaged[index] = (damaged[index] as number) ^ 1
      const read = () => readJournal(damaged, 'run.journal')
      // Without its line feed the last line is one that was torn.
      if (index === whole.length - 1) expect(read().lines.map(({ key }) => key)).toEqual(['a'])
      else expect(read).toThrow(/run\.journal/)
    }
  })

  it('is refused with garbage between two lines: the error names line and file, not the folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.nat(2), async (garbage, after) => {
        const path = newPath()
        const lines = (
          await write(path, [
            ['a', 1],
            ['b', 2],
            ['c', 3],
          ])
        )
          .toString()
          .split('\n')
        lines.splice(after + 1, 0, garbage)
        writeFileSync(path, lines.join('\n'))
        await expect(fileJournal(path)).rejects.toMatchObject({
          code: 'broken',
          message: expect.stringContaining(`Line ${after + 2} of the journal "${basename(path)}"`),
        })
        expect(readFileSync(path, 'utf8')).toBe(lines.join('\n'))
      }),
      { numRuns: 30 },
    )
  })

  it('is refused when a line in the middle is missing, or two have changed places', async () => {
    const [first, a, b, c] = (
      await write(newPath(), [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ])
    )
      .toString()
      .split('\n')
    for (const lines of [
      [first, a, c, ''],
      [first, b, a, c, ''],
      [first, a, a, ''],
    ]) {
      expect(() => readJournal(Buffer.from(lines.join('\n')), 'run.journal')).toThrow('does not fit its checksum')
    }
  })

  it('is refused when it is of another version, or something else', () => {
    const other = FIRST_LINE.replace('"version":1', '"version":2')
    expect(() => readJournal(Buffer.from(other), 'run.journal')).toThrow(
      '"run.journal" is a journal of version 2; this program reads version 1.',
    )
    for (const text of ['Dear diary', 'Dear diary\n', '{}\n', 'null\n', '[1]\n', '\n', '\ufeff', `${FIRST_LINE.trim()} \n`]) {
      expect(() => readJournal(Buffer.from(text), 'run.journal')).toThrow('"run.journal" is')
    }
  })

  it('is read or refused with an error of its own, whatever is in it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, hasFirstLine) => {
        const content = hasFirstLine ? Buffer.concat([Buffer.from(FIRST_LINE), bytes]) : bytes
        try {
          expect(readJournal(content, 'run.journal').lines).toEqual([])
        } catch (error) {
          expect(error).toMatchObject({ name: 'DurableError' })
        }
      }),
    )
  })
})
