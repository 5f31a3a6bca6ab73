/** Reads the names in a comma-separated list that a model wrote, ignoring quotes, brackets and list markers. */
import { type ToolMap, unknownTool } from '@x/tool-core'
import { tooManyNames } from '../prompts.ts'
import { type RejectedCall, reject } from './decision.ts'

export interface SelectedNames {
  /** How often each tool is named, in order of first mention. */
  readonly times: ReadonlyMap<string, number>
  readonly rejected: readonly RejectedCall[]
}

/** Maximum number of names, and of pieces including blank ones. The rest of the text isn't read, and is reported as `too_many`. */
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
  if (pieces.length > MAX_NAMES || all.length > MAX_PIECES) rejected.push(reject('too_many', '', tooManyNames(MAX_NAMES)))
  return { times, rejected }
}

/** Returns the tool that a piece of text names, with or without quotes, brackets and list markers. */
export function findTool(piece: string, tools: ToolMap): string | undefined {
  return [piece, piece.trim(), bare(piece)].find((name) => tools.has(name))
}

/** Returns true for words that models write for an empty selection. */
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

/** Removes quotes, brackets and backticks, a list marker before the name, and punctuation after it. */
function bare(piece: string): string {
  return strip(strip(piece).replace(ITEM_MARK, ''))
}

const ITEM_MARK = /^(?:[-+•*]|\d{1,3}[.)])\s+/
const AROUND = ' \t\r\n\u00a0"\'`´‘’“”()[]{}<>*'
const BEHIND = `${AROUND}.;:`

/** Strips punctuation without a regular expression, because one that is anchored only at the end takes quadratic time for long text. */
function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && AROUND.includes(text.charAt(start))) start++
  while (end > start && BEHIND.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
