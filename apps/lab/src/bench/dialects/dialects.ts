/** The `dialects` bench: a call in a reply text, parsed from small deltas, compared with one `JSON.parse` of its arguments. */
import { longText, rowsText } from '../arguments/arguments-text.ts'
import type { Bench, Cell, Goal, Subject } from '../bench.ts'
import { type DialectName, type DialectSubject, openCall } from './dialects-workload.ts'

const OURS = '@x/adapters'
const BASE = 'JSON.parse'
const PEER = '@ai-sdk-tool/parser'
const KIB = 1024

const DIALECTS: readonly DialectName[] = ['hermes', 'qwen3_coder']
const TEXTS = { long: longText, rows: rowsText } as const
const SIZES: Readonly<Record<string, number>> = { '4 KiB': 4 * KIB, '16 KiB': 16 * KIB, '64 KiB': 64 * KIB, '256 KiB': 256 * KIB }
/** The peer parses all text again at each delta, so 16 KiB would take a minute. */
const SMALL = ['4 KiB']

interface Case {
  readonly dialect: DialectName
  readonly write: (length: number) => string
  readonly length: number
}

const cases = casesOf(Object.keys(SIZES))

// Imported lazily, so that processes of other benches don't load our packages.
const loadSubjects = () => import('./dialects-subjects.ts')

/** Cases for the peer. Qwen's cases are left out: the peer changes the text of their parameters, so its work would not be comparable. */
const PEER_CASES = [...casesOf(SMALL).keys()].filter((name) => name.startsWith('hermes'))

const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => (await loadSubjects()).jsonParse },
  { name: OURS, packages: [OURS, '@x/tool-core'], load: async () => (await loadSubjects()).own },
  { name: PEER, packages: [PEER], cases: PEER_CASES, load: async () => (await loadSubjects()).loadPeer() },
]

const goals: readonly Goal[] = DIALECTS.flatMap((dialect) => [
  beside(`${dialect} long 256 KiB`, 4),
  beside(`${dialect} rows 256 KiB`, 4),
  growth(`${dialect} long`, 4.5),
  growth(`${dialect} rows`, 4.5),
])

export const dialects: Bench = {
  name: 'dialects',
  per: 'reply',
  base: BASE,
  subjects,
  cases: [...cases.keys()],
  goals,
  async open(subject, caseName, peersFolder) {
    const found = cases.get(caseName)
    if (found === undefined) throw new Error(`There is no case ${caseName}.`)
    const { dialect, write, length } = found
    return openCall((await subject.load(peersFolder)) as DialectSubject, dialect, write(length))
  },
}

function casesOf(sizes: readonly string[]): ReadonlyMap<string, Case> {
  return new Map(
    DIALECTS.flatMap((dialect) =>
      Object.entries(TEXTS).flatMap(([name, write]) =>
        sizes.map((size): [string, Case] => [`${dialect} ${name} ${size}`, { dialect, write, length: SIZES[size] as number }]),
      ),
    ),
  )
}

function beside(caseName: string, limit: number): Goal {
  const name = `${caseName}: at most ${limit} times ${BASE}`
  return { name, limit, cell: own(caseName), over: { subject: BASE, case: caseName } }
}

function growth(name: string, limit: number): Goal {
  const [from, to] = [`${name} 64 KiB`, `${name} 256 KiB`]
  return { name: `linear: ${to} at most ${limit} times ${from}`, limit, cell: own(to), over: own(from) }
}

function own(caseName: string): Cell {
  return { subject: OURS, case: caseName }
}
