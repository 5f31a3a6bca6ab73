/** How much work a regular expression can make of a text, from its shape: the groups to check, and the longest text to try. */
import { isGroup, type Piece, piecesOf } from './pattern-pieces.ts'

export interface PatternEffort {
  /** Repeated groups, as source: with one that can take a text in two ways, the work doubles with every character. */
  readonly repeated: readonly string[]
  /** True when a repeated group refers back to another: nothing can judge that. */
  readonly repeatsReference: boolean
  /** The longest text, in characters, that is safe to try when the repeated groups are sound; `Infinity` for a linear pattern. */
  readonly longest: number
}

/** Steps of a search that take some 50 ms, also before the engine has compiled the pattern. */
const MAX_STEPS = 10_000_000
/** A group that is repeated a bounded number of times needs no check when it can take a text in fewer ways than this. */
const FEW_WAYS = 1_000_000
const FEW_TIMES = 3
/** A repetition with more variants than this counts as endless. */
const MANY_VARIANTS = 10
/** More endless repetitions than these in a row are not compared with each other: they all count. */
const MAX_COMPARED = 30

/** The effort of a pattern that `RegExp` accepts; `undefined` when it is nested too deeply to be judged. */
export function effortOf(pattern: string): PatternEffort | undefined {
  const pieces = piecesOf(pattern)
  if (pieces === undefined) return undefined
  const branches = pieces.map((branch) => branch.map(measure))
  const checked = branches.flatMap((branch) => branch.flatMap(checkedIn))
  const degree = Math.max(...branches.map((branch) => degreeOf(branch, startsAnchored(branch))))
  const ways = sum(branches.map((branch) => product(branch.map((measured) => measured.ways))))
  return {
    repeated: checked.map(({ piece }) => piece.source),
    repeatsReference: checked.some(holdsReference),
    longest: longestOf(degree, ways),
  }
}

interface Measured {
  readonly piece: Piece
  readonly branches: readonly (readonly Measured[])[]
  /** Repetitions without end, of which each can take what the others could. */
  readonly degree: number
  /** In how many ways the rest can take its part of a text. */
  readonly ways: number
  /** True for a group that is repeated so often that only a check can tell. */
  readonly isChecked: boolean
}

function measure(piece: Piece): Measured {
  const { min, max } = piece.times
  const variants = max - min + 1
  if (!isGroup(piece)) {
    const isEndless = variants > MANY_VARIANTS
    return { piece, branches: [], degree: isEndless ? 1 : 0, ways: isEndless ? 1 : variants, isChecked: false }
  }
  const branches = piece.branches.map((branch) => branch.map(measure))
  const inside = Math.max(...branches.map((branch) => sum(branch.map(({ degree }) => degree))))
  const once = sum(branches.map((branch) => product(branch.map(({ ways }) => ways))))
  const ways = once === 1 ? variants : once ** max * Math.min(2, variants)
  const isChecked = max === Infinity || (max > FEW_TIMES && inside > 0) || (max > 1 && ways > FEW_WAYS)
  if (isChecked) return { piece, branches, degree: max === Infinity || inside > 0 ? 1 : 0, ways: 1, isChecked }
  return { piece, branches, degree: inside * max, ways, isChecked }
}

function checkedIn(measured: Measured): readonly Measured[] {
  const inner = measured.branches.flatMap((branch) => branch.flatMap(checkedIn))
  return measured.isChecked ? [measured, ...inner] : inner
}

function holdsReference({ piece, branches }: Measured): boolean {
  return piece.kind === 'reference' || branches.some((branch) => branch.some(holdsReference))
}

function startsAnchored([first]: readonly Measured[]): boolean {
  if (first === undefined) return false
  if (first.piece.kind === 'group') return first.piece.times.min > 0 && first.branches.every(startsAnchored)
  return first.piece.source === '^'
}

/** A repetition without end, and where it stands. */
interface Loop {
  readonly index: number
  readonly measured: Measured | undefined
  /** What it can take, one character at a time; `undefined` for a group, which may take anything. */
  readonly takes: RegExp | undefined
}

/**
 * The longest row of repetitions of which each shares text with the next: it takes (length to the power of the row) steps to
 * find that none of their splits fits. A character between two keeps them apart when one of the two cannot take it.
 */
function degreeOf(branch: readonly Measured[], isAnchored: boolean): number {
  const line = branch.flatMap(inlined)
  // A pattern without `^` is tried at every place, as if it began by skipping any text.
  const loops: Loop[] = isAnchored ? [] : [{ index: -1, measured: undefined, takes: undefined }]
  for (const [index, measured] of line.entries()) {
    const { piece, degree } = measured
    // Where nothing can fail any more, nothing is tried again.
    if (piece.kind === 'lookaround' || degree === 0 || (index === line.length - 1 && !isGroup(piece))) continue
    const loop = { index, measured, takes: isGroup(piece) ? undefined : matcherOf(piece.source) }
    loops.push(...Array.from({ length: Math.min(degree, MAX_COMPARED) }, () => loop))
  }
  const inside = line.flatMap(({ piece, branches }) => (piece.kind === 'lookaround' ? branches : []))
  return Math.max(longestRow(loops, line), ...inside.map((inner) => degreeOf(inner, isAnchored)))
}

function longestRow(loops: readonly Loop[], line: readonly Measured[]): number {
  if (loops.length > MAX_COMPARED) return loops.length
  const rows: number[] = []
  for (const [at, loop] of loops.entries()) {
    const before = loops.slice(0, at).map((earlier, index) => (sharesText(earlier, loop, line) ? (rows[index] ?? 0) : 0))
    rows.push(1 + Math.max(0, ...before))
  }
  return Math.max(0, ...rows)
}

function sharesText(earlier: Loop, later: Loop, line: readonly Measured[]): boolean {
  const between = line.slice(earlier.index + 1, later.index).filter(isLiteral)
  const literals = between.map(({ piece }) => piece.source)
  if (earlier !== later) literals.push(...edgeOf(earlier.measured, -1), ...edgeOf(later.measured, 0))
  return literals.every((literal) => accepts(earlier.takes, literal) && accepts(later.takes, literal))
}

function isLiteral({ piece }: Measured): boolean {
  return piece.kind === 'literal' && piece.times.min === 1 && piece.times.max === 1
}

/** The character with which a group without alternatives always begins (0) or ends (-1). */
function edgeOf(measured: Measured | undefined, at: 0 | -1): readonly string[] {
  const [only, another] = measured?.branches ?? []
  const edge = another === undefined ? only?.at(at) : undefined
  return edge !== undefined && isLiteral(edge) ? [edge.piece.source] : []
}

/** A group that stands once and has no alternatives is what it holds. */
function inlined(measured: Measured): readonly Measured[] {
  const { piece, branches } = measured
  const [only, another] = branches
  const isPlain = piece.kind === 'group' && another === undefined && piece.times.min === 1 && piece.times.max === 1
  return isPlain && only !== undefined ? only.flatMap(inlined) : [measured]
}

function matcherOf(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, 'su')
  } catch {
    return undefined
  }
}

function accepts(matcher: RegExp | undefined, literal: string): boolean {
  return matcher === undefined || matcher.test(literal.replace(/^\\/, ''))
}

/** The longest text for which the ways, times the length to the power of the degree, stay within the limit. */
function longestOf(degree: number, ways: number): number {
  const steps = MAX_STEPS / ways
  if (steps < 1) return 0
  return degree === 0 || (degree === 1 && ways === 1) ? Infinity : Math.floor(steps ** (1 / degree))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total * number, 1)
}
