import { readFileSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../scripts/any-character.ts'
import { journalPaths } from '../../../test/file/journal/folder.ts'
import { fileJournal } from './file-journal.ts'
import { readJournal, readJournalFile } from './read-journal.ts'
import { FIRST_LINE } from './record.ts'

const newPath = journalPaths()
const LINE_FEED = 10

const records = fc.uniqueArray(fc.tuple(fc.string({ unit: anyCharacter }), fc.jsonValue()), {
  minLength: 1,
  maxLength: 6,
  selector: ([key]) => key,
})

async function write(path: string, entries: readonly (readonly [string, unknown])[]): Promise<Buffer> {
  await using journal = await fileJournal(path, { fsync: false })
  for (const [key, value] of entries) await journal.run(key, async () => value)
  return readFileSync(path)
}

/** Returns the number of records that each beginning of the file contains completely, except for the line feed. */
function wholeRecords(whole: Buffer): readonly number[] {
  const ends = [...whole.keys()].filter((index) => whole[index] === LINE_FEED).slice(1)
  return Array.from({ length: whole.length + 1 }, (_, length) => ends.filter((end) => end <= length).length)
}

describe('a journal file', () => {
  it('that is truncated at any byte contains exactly the complete records', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (entries) => {
        const whole = await write(newPath(), entries)
        const counts = wholeRecords(whole)
        const readings = counts.map((_, end) => {
          const { lines, length, lacksLineFeed } = readJournal(whole.subarray(0, end), 'run.journal')
          return { keys: lines.map(({ key }) => key), length, lacksLineFeed }
        })
        expect(readings).toEqual(
          counts.map((count, end) => {
            const lacksLineFeed = count > 0 && whole[end] === LINE_FEED
            const length = lacksLineFeed ? end : whole.subarray(0, end).lastIndexOf('\n') + 1
            return { keys: entries.slice(0, count).map(([key]) => key), length, lacksLineFeed }
          }),
        )
      }),
      { numRuns: 20 },
    )
  })

  it('that is truncated at any byte can be opened, replayed and continued', async () => {
    const entries = [
      ['model-1', { text: 'Zürich €' }],
      ['intent-1', 'token'],
      ['call-1', [1, 2]],
    ] as const
    const whole = await write(newPath(), entries)
    for (const [length, complete] of wholeRecords(whole).entries()) {
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
      expect(executed).toEqual(entries.slice(complete).map(([key]) => key))
      expect(readFileSync(path)).toEqual(whole)
    }
  })

  it('is refused and left unchanged when any bit of it is changed', async () => {
    const whole = await write(newPath(), [
      ['a', { text: 'é' }],
      ['b', { sum: { sum: '0', '{"sum":"': 1 } }],
    ])
    for (let index = 0; index < whole.length; index++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = Buffer.from(whole)
        damaged[index] = (damaged[index] as number) ^ (1 << bit)
        expect(() => readJournal(damaged, 'run.journal')).toThrow(/run\.journal/)
        // A torn line may follow the damage.
        expect(() => readJournal(Buffer.concat([damaged, whole.subarray(41, 60)]), 'run.journal')).toThrow(/run\.journal/)
      }
    }
    const path = newPath()
    const damaged = Buffer.concat([whole.subarray(0, -1), Buffer.from('J')])
    writeFileSync(path, damaged)
    await expect(fileJournal(path)).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringContaining('Line 3 of the journal'),
    })
    expect(readFileSync(path)).toEqual(damaged)
  })

  it.each([0, 1, 4096])('keeps and repairs a complete last record with %j zeros in place of its line feed', async (zeros) => {
    const whole = await write(newPath(), [
      ['a', '}'.repeat(50)],
      ['b', [{ sum: '89abcdef' }, { sum: '' }]],
    ])
    const path = newPath()
    writeFileSync(path, Buffer.concat([whole.subarray(0, -1), Buffer.alloc(zeros)]))
    await using journal = await fileJournal(path)
    expect(readFileSync(path)).toEqual(whole)
    expect(await journal.run('b', async () => 'executed again')).toEqual([{ sum: '89abcdef' }, { sum: '' }])
  })

  it('is read only until it is known not to be a journal, however large it is', async () => {
    const zeros = Buffer.alloc(1024 * 1024)
    const bytesReadOf = async (first: string) => {
      let bytes = 0
      const read = async (buffer: Buffer, _: number, length: number, position: number) => {
        bytes += length
        const start = Buffer.concat([Buffer.from(first), zeros])
        return { bytesRead: length, buffer: position === 0 ? start.copy(buffer) && buffer : zeros.subarray(0, length) }
      }
      const handle = { stat: async () => ({ size: 1e12 }), read } as unknown as FileHandle
      await expect(readJournalFile(handle, 'run.journal')).rejects.toMatchObject({
        code: first === '' ? 'not_a_journal' : 'broken',
      })
      return bytes
    }
    expect(await bytesReadOf('')).toBe(4096)
    expect(await bytesReadOf(FIRST_LINE)).toBeLessThan(257 * zeros.length)
  })

  it('is refused with garbage between two lines, and the error names line and file, but not the folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.nat(2), async (garbage, after) => {
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

  it('is refused when a line in the middle is missing, or two are swapped', async () => {
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
      expect(() => readJournal(Buffer.from(lines.join('\n')), 'run.journal')).toThrow('fails its checksum')
    }
  })

  it('is refused when it has another version or format', () => {
    const other = FIRST_LINE.replace('"version":1', '"version":2')
    expect(() => readJournal(Buffer.from(other), 'run.journal')).toThrow(
      '"run.journal" is a journal of version 2, but this program reads version 1. Finish its run with the program version that started it.',
    )
    for (const text of ['Dear diary', 'Dear diary\n', '{}\n', 'null\n', '[1]\n', '\n', '\ufeff', `${FIRST_LINE.trim()} \n`]) {
      expect(() => readJournal(Buffer.from(text), 'run.journal')).toThrow('"run.journal" is')
    }
  })

  it('is read or refused with a DurableError, whatever it contains', () => {
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
