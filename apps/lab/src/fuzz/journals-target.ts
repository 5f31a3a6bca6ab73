/** The `journals` target: a damaged journal must either be refused and left unchanged, or return what was recorded. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DurableError, type FileJournal, fileJournal } from '@x/durable'
import { isSameValue } from '../conformance/same-value.ts'
import { randomValue } from './json-value.ts'
import type { Random } from './random.ts'
import type { Execution, Fault, FuzzTarget } from './target.ts'

export type OpenJournal = (path: string, options: { readonly fsync: boolean }) => Promise<FileJournal>

export function defineJournalsTarget(open: OpenJournal): FuzzTarget<Promise<Execution>> {
  return {
    name: 'journals',
    start(publish = () => {}) {
      const seen = new Set<string>()
      const folder = mkdtemp(join(tmpdir(), 'fuzz-journals-'))
      let runs = 0
      return {
        async execute(random) {
          const path = join(await folder, `${runs++}.journal`)
          const written = [await write(open, `${path}-1`, random), await write(open, `${path}-2`, random)] as const
          const { bytes, name } = damage(...written, random)
          const meant = beginsAs(bytes, written[1]) ? written[1] : written[0]
          const text = JSON.stringify({ name, entries: meant.entries, bytes: bytes.toString('latin1') })
          publish(text)
          const { behaviour, fault } = await read(open, path, bytes, meant)
          for (const end of ['', '-1', '-2']) await rm(`${path}${end}`, { force: true })
          seen.add(`${name}: ${behaviour}`)
          return { text, behaviour: `${name}: ${behaviour}`, ...(fault && { fault }), minimize: () => text }
        },
        get behaviours() {
          return seen.size
        },
        end: async () => rm(await folder, { recursive: true, force: true }),
      }
    },
  }
}

export const journalsTarget = defineJournalsTarget(fileJournal)

type Entry = readonly [key: string, value: unknown]

interface Written {
  readonly entries: readonly Entry[]
  readonly bytes: Buffer
}

/** Writes a journal. Its first value is random, so that no two journals have the same first record. */
async function write(open: OpenJournal, path: string, random: Random): Promise<Written> {
  const entries: Entry[] = Array.from({ length: 1 + random.below(5) }, (_, index) => [`step-${index}`, randomValue(random)])
  entries.unshift(['id', random.next()])
  const journal = await open(path, { fsync: false })
  for (const [key, value] of entries) await journal.run(key, async () => value)
  await journal.close()
  return { entries, bytes: await readFile(path) }
}

/** Returns true if the journal starts with the first record of another journal. The two can't be told apart then. */
function beginsAs(bytes: Buffer, { bytes: whole }: Written): boolean {
  const end = whole.indexOf('\n', whole.indexOf('\n') + 1)
  return bytes.subarray(0, end).equals(whole.subarray(0, end))
}

interface Damaged {
  readonly name: string
  readonly bytes: Buffer
}

function damage(own: Written, other: Written, random: Random): Damaged {
  const [name, change] = random.pick(DAMAGES)
  let bytes = change(own.bytes, other.bytes, random)
  // A crash may also truncate a damaged journal.
  if (random.chance(0.1)) bytes = bytes.subarray(0, random.below(bytes.length + 1))
  return { name, bytes }
}

type Damage = (bytes: Buffer, other: Buffer, random: Random) => Buffer

const DAMAGES: readonly [readonly [string, Damage], ...(readonly [string, Damage])[]] = [
  ['none', (bytes) => bytes],
  ['a flipped bit', (bytes, _, random) => flip(bytes, random)],
  [
    'several flipped bits',
    (bytes, _, random) => Array.from({ length: 2 + random.below(6) }).reduce<Buffer>((b) => flip(b, random), bytes),
  ],
  ['a cut', (bytes, _, random) => bytes.subarray(0, random.below(bytes.length + 1))],
  ['a part is missing', (bytes, _, random) => splice(bytes, random, random.below(40) + 1, Buffer.alloc(0))],
  ['a part is repeated', (bytes, _, random) => splice(bytes, random, random.below(2), part(bytes, random))],
  ['a part of another journal', (bytes, other, random) => splice(bytes, random, random.below(40), part(other, random))],
  ['random bytes', (bytes, _, random) => splice(bytes, random, random.below(4), noise(random))],
  [
    'zeros in place of its end',
    (bytes, _, random) => Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), Buffer.alloc(random.below(50))]),
  ],
  [
    'a record twice',
    (bytes, _, random) => changeLines(bytes, (lines) => lines.splice(place(lines, random), 0, pickLine(lines, random))),
  ],
  ['a record is missing', (bytes, _, random) => changeLines(bytes, (lines) => lines.splice(place(lines, random), 1))],
  [
    'records change places',
    (bytes, _, random) => changeLines(bytes, (lines) => lines.push(...lines.splice(place(lines, random), 1))),
  ],
  [
    'a record of another journal',
    (bytes, other, random) =>
      changeLines(bytes, (lines) => lines.splice(place(lines, random), random.below(2), pickLine(linesOf(other), random))),
  ],
  [
    'an end of another journal',
    (bytes, other, random) =>
      changeLines(bytes, (lines) => lines.splice(2, Infinity, ...linesOf(other).slice(2 + random.below(2)))),
  ],
  ['the records of another journal after its own', (bytes, other) => Buffer.concat([bytes, other])],
]

function flip(bytes: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(bytes)
  const at = random.below(flipped.length)
  if (flipped.length > 0) flipped[at] = (flipped[at] as number) ^ (1 << random.below(8))
  return flipped
}

function splice(bytes: Buffer, random: Random, removed: number, added: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}

function part(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length)
  return bytes.subarray(from, from + 1 + random.below(120))
}

function noise(random: Random): Buffer {
  return Buffer.from(Array.from({ length: 1 + random.below(20) }, () => random.below(256)))
}

/** Returns the lines without line feeds, and without the empty one at the end. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n').slice(0, -1)
}

function changeLines(bytes: Buffer, change: (lines: string[]) => void): Buffer {
  const lines = linesOf(bytes)
  change(lines)
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
}

/** Returns a random position after the first line, which identifies the file as a journal. */
function place(lines: readonly string[], random: Random): number {
  return 1 + random.below(lines.length)
}

function pickLine(lines: readonly string[], random: Random): string {
  return lines[1 + random.below(lines.length - 1)] as string
}

interface Observed {
  readonly behaviour: string
  readonly fault?: Fault
}

const CODES = ['broken', 'not_a_journal', 'unsupported_version']

async function read(open: OpenJournal, path: string, bytes: Buffer, { entries }: Written): Promise<Observed> {
  await writeFile(path, bytes)
  let journal: FileJournal
  try {
    journal = await open(path, { fsync: false })
  } catch (error) {
    if (!(error instanceof DurableError) || !CODES.includes(error.code))
      return { behaviour: 'throws', fault: { check: 'is refused with an error from the package', why: String(error) } }
    const isLeft = (await readFile(path)).equals(bytes)
    if (!isLeft) return { behaviour: error.code, fault: { check: 'a refused journal is left unchanged', why: error.message } }
    return { behaviour: error.code }
  }
  const replay = await replayAll(journal, entries)
  if (replay.fault !== undefined) return { behaviour: 'read', fault: replay.fault }
  const again = await replayAll(await open(path, { fsync: false }), entries)
  if (again.fault !== undefined || again.executed > 0)
    return {
      behaviour: 'read',
      fault: { check: 'returns the same when it is read again', why: again.fault?.why ?? `${again.executed} steps executed` },
    }
  return { behaviour: replay.executed === 0 ? 'whole' : 'cut' }
}

/** Checks that recorded results are returned. Only results at the end may be missing. */
async function replayAll(
  journal: FileJournal,
  entries: readonly Entry[],
): Promise<{ readonly executed: number; readonly fault?: Fault }> {
  let executed = 0
  for (const [key, value] of entries) {
    let isExecuted = false
    const given = await journal.run(key, async () => {
      isExecuted = true
      return value
    })
    if (isExecuted) executed++
    const isGap = !isExecuted && executed > 0
    if (isGap || !isSameValue(given, value)) {
      await journal.close()
      const why = isGap
        ? `${key} is recorded, but an earlier step is not`
        : `${key} returned ${JSON.stringify(given)}, not ${JSON.stringify(value)}`
      return { executed, fault: { check: 'a change is noticed', why } }
    }
  }
  await journal.close()
  return { executed }
}
