/** The names in a comma-separated list that a model wrote, however it dressed them up. */
import { type ToolMap, unknownTool } from '@x/tool-core'
import { type RejectedCall, reject } from './decision.ts'

export interface SelectedNames {
  /** How often each tool is named, in the order of first mention. */
  readonly times: ReadonlyMap<string, number>
  readonly rejected: readonly RejectedCall[]
}

/** More names are not read, nor are more pieces, most of them blank. */
const MAX_NAMES = 100
const MAX_PIECES = 10_000

export function readNames(text: string, tools: ToolMap): SelectedNames {
  const times = new Map<string, number>()
  const rejected: RejectedCall[] = []
  const all = text.split(/[,;\n]/, MAX_PIECES + 1)
  const pieces = all.filter((piece) => bare(piece) !== '')
  const [only = ''] = pieces
  if (pieces.length === 1 && isNone(only) && findTool(only, tools) === undefined) return { times, rejected }
  for (const piece of pieces.slice(0, MAX_NAMES)) {
    const name = findTool(piece, tools)
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1)
    else rejected.push(reject('unknown_tool', bare(piece), unknownTool(bare(piece), tools.keys()).message, piece.trim()))
  }
  if (pieces.length > MAX_NAMES || all.length > MAX_PIECES)
    rejected.push(reject('too_many', '', `More than ${MAX_NAMES} tools were named; the others were not read.`))
  return { times, rejected }
}

/** The tool that a piece of text names: as it stands, or without what is written around names. */
export function findTool(piece: string, tools: ToolMap): string | undefined {
  return [piece, piece.trim(), bare(piece)].find((name) => tools.has(name))
}

/** True for a word by which models say that there is nothing. */
export function isNone(text: string): boolean {
  return NONE.has(bare(text).toLowerCase())
}

const NONE: ReadonlySet<string> = new Set([
  '-',
  '–',
  '—',
  'none',
  'null',
  'nil',
  'n/a',
  'na',
  'nothing',
  'empty',
  'no tool',
  'no tools',
])

/** Without quotes, brackets, back-ticks, the mark of a list item before the name and a full stop behind it. */
function bare(piece: string): string {
  return strip(strip(piece).replace(ITEM_MARK, ''))
}

const ITEM_MARK = /^(?:[-+•*]|\d{1,3}[.)])\s+/
const AROUND = ' \t\r\n\u00a0"\'`´‘’“”()[]{}<>*'
const BEHIND = `${AROUND}.;:`

/** By hand: a pattern that is tied to the end alone would look at each place of a long text again. */
function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && AROUND.includes(text.charAt(start))) start++
  while (end > start && BEHIND.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
