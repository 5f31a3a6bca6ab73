/** The `arguments` bench: streamed arguments with a partial value after every delta, compared with one `JSON.parse`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, Cell, Goal, Limit, Subject } from '../bench.ts'
import { BOMBS, longText, plainText, rowsText } from './arguments-text.ts'
import { type ArgumentsSubject, openBomb, openStream, openWhole } from './arguments-workload.ts'

const OURS = '@x/adapters'
const BASE = 'JSON.parse'
const FLOOR = 'object per delta'
const KIB = 1024
const BOMB_MOST_MS = 100

const TEXTS = { long: longText, rows: rowsText, plain: plainText } as const
type TextName = keyof typeof TEXTS

const SIZES: Readonly<Record<string, number>> = {
  '1 KiB': KIB,
  '4 KiB': 4 * KIB,
  '16 KiB': 16 * KIB,
  '64 KiB': 64 * KIB,
  '256 KiB': 256 * KIB,
  '1 MiB': KIB * KIB,
  '4 MiB': 4 * KIB * KIB,
}
/** Sizes for parsers that parse all previous text again at each delta. At 64 KiB and above, they take seconds per input. */
const SMALL = ['1 KiB', '4 KiB', '16 KiB']

type Open = (subject: ArgumentsSubject) => ReturnType<typeof openStream>

const streams = new Map([...casesOf(openStream, Object.keys(SIZES)), ...casesOf(openStream, ['256 KiB'], ['plain'])])
const small = casesOf(openStream, SMALL)
const floors = casesOf(openStream, ['256 KiB'], ['long', 'rows', 'plain'])
const wholes = new Map([...casesOf(openWhole, ['256 KiB'])].map(([name, open]) => [`whole ${name}`, open]))
const bombs = new Map<string, Open>(
  Object.entries(BOMBS).map(([name, text]) => [`bomb: ${name}`, (subject) => openBomb(subject, text())]),
)
const cases = new Map([...streams, ...wholes, ...bombs])

// Imported lazily, so that processes of other benches don't load our packages.
const loadSubjects = () => import('./arguments-subjects.ts')

const subjects: readonly Subject[] = [
  { name: BASE, packages: [], load: async () => (await loadSubjects()).jsonParse },
  { name: OURS, packages: [OURS, '@x/tool-core'], load: async () => (await loadSubjects()).own },
  { name: FLOOR, packages: [], cases: [...floors.keys()], load: async () => (await loadSubjects()).objectPerDelta },
  peer('jsonriver', 'jsonriver', streams),
  peer('streamparser', '@streamparser/json', streams),
  peer('ai-sdk', 'ai', small),
  peer('langchain', '@langchain/core', small),
  peer('partial-json', 'partial-json', small),
  peer('jsonrepair', 'jsonrepair', small),
]

const goals: readonly Goal[] = [
  beside(BASE, 'long 256 KiB', 3),
  beside(BASE, 'rows 256 KiB', 3),
  growth('long', 4.5),
  growth('rows', 4.5),
  ...[...floors.keys()].map((caseName) => beside(FLOOR, caseName, 3)),
  beside(BASE, 'whole long 256 KiB', 1.1),
  beside(BASE, 'whole rows 256 KiB', 1.1),
]

const limits: readonly Limit[] = [...bombs.keys()].map((caseName) => ({
  name: `${caseName}: at most ${BOMB_MOST_MS} ms`,
  most: BOMB_MOST_MS * 1000,
  cell: own(caseName),
}))

/** The constant isn't named `arguments`, because that name is reserved in JavaScript. */
export const argumentsBench: Bench = {
  name: 'arguments',
  per: 'text',
  base: BASE,
  subjects,
  cases: [...cases.keys()],
  goals,
  limits,
  async open(subject, caseName, peersFolder) {
    const open = cases.get(caseName)
    if (open === undefined) throw new Error(`There is no case ${caseName}.`)
    return open((await subject.load(peersFolder)) as ArgumentsSubject)
  },
}

function casesOf(
  open: typeof openStream,
  sizes: readonly string[],
  names: readonly TextName[] = ['long', 'rows'],
): ReadonlyMap<string, Open> {
  return new Map(
    names.flatMap((name) =>
      sizes.map((size): [string, Open] => [`${name} ${size}`, (subject) => open(subject, TEXTS[name](SIZES[size] as number))]),
    ),
  )
}

function peer(name: string, packageName: string, done: ReadonlyMap<string, Open>): Subject {
  const load = (peersFolder: string) => import(pathToFileURL(join(peersFolder, 'src/arguments', `${name}.mjs`)).href)
  return { name, packages: [packageName], cases: [...done.keys()], load }
}

function beside(subject: string, caseName: string, limit: number): Goal {
  return {
    name: `${caseName}: at most ${limit} times ${subject}`,
    limit,
    cell: own(caseName),
    over: { subject, case: caseName },
  }
}

function growth(name: TextName, limit: number): Goal {
  const [from, to] = [`${name} 64 KiB`, `${name} 256 KiB`]
  return { name: `linear: ${to} at most ${limit} times ${from}`, limit, cell: own(to), over: own(from) }
}

function own(caseName: string): Cell {
  return { subject: OURS, case: caseName }
}
