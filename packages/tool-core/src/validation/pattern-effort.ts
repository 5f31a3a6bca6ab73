/** How much work a regular expression can make of a text, from its shape: the groups to check, and the longest text to try. */
import { type Group, isGroup, type Piece, piecesOf } from './pattern-pieces.ts'

export interface PatternEffort {
  /** Repeated groups, as source: with one that can take a text in two ways, the work doubles with every character. */
  readonly repeated: readonly string[]
  /** True when a repeated group refers back to another: nothing can judge that. */
  readonly repeatsReference: boolean
  /** The longest text, in characters, that is safe to try when the repeated groups are sound; `Infinity` for a linear pattern. */
  readonly longest: number
}

/** Steps of a search that take some 50 ms. */
const MAX_STEPS = 50_000_000
/** A group that is repeated a bounded number of times needs no check when it can take a text in fewer ways than this. */
const FEW_WAYS = 1_000_000
const FEW_TIMES = 3

/** The effort of a pattern that `RegExp` accepts; `undefined` when it is nested too deeply to be judged. */
export function effortOf(pattern: string): PatternEffort | undefined {
  const pieces = piecesOf(pattern)
  if (pieces === undefined) return undefined
  const branches = pieces.map((branch) => branch.map(measure))
  const checked = branches.flatMap((branch) => branch.flatMap(checkedIn))
  const runs = branches.flatMap((branch) => runsOf(branch, startsAnchored(branch)))
  return {
    repeated: checked.map(({ piece }) => piece.source),
    repeatsReference: checked.some(holdsReference),
    longest: Math.min(...runs.map((run) => longestOf(run, branches.length))),
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
  const variants = max === min ? 1 : 2
  if (!isGroup(piece)) {
    const endless = max === Infinity
    return { piece, branches: [], degree: endless ? 1 : 0, ways: endless ? 1 : max - min + 1, isChecked: false }
  }
  const branches = piece.branches.map((branch) => branch.map(measure))
  const inside = Math.max(...branches.map((branch) => sum(branch.map(({ degree }) => degree))))
  const once = sum(branches.map((branch) => product(branch.map(({ ways }) => ways))))
  const ways = once === 1 ? Math.max(1, max - min + 1) : once ** max * variants
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

/** A stretch of a pattern within which the same text can go to one repetition or to another. */
interface Run {
  degree: number
  ways: number
}

/** Repetitions share a run unless a character stands between them that one of the two cannot take. */
function runsOf(branch: readonly Measured[], isAnchored: boolean): readonly Run[] {
  // A pattern without `^` is tried at every place, as if it began by skipping any text.
  let run: Run = { degree: isAnchored ? 0 : 1, ways: 1 }
  const runs = [run]
  let last: RegExp | undefined
  let between: string[] = []
  for (const measured of branch.flatMap(inlined)) {
    const { piece, degree, ways } = measured
    if (piece.kind === 'lookaround') runs.push(...measured.branches.flatMap((inner) => runsOf(inner, isAnchored)))
    else if (piece.kind === 'literal' && piece.times.min === 1 && piece.times.max === 1) between.push(piece.source)
    else if (degree > 0 || ways > 1) {
      const matcher = isGroup(piece) ? undefined : matcherOf(piece.source)
      if (between.some((literal) => refuses(last, literal) || refuses(matcher, literal))) {
        run = { degree: 0, ways: 1 }
        runs.push(run)
      }
      run.degree += degree
      run.ways *= ways
      last = matcher
      between = []
    }
  }
  return runs
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

function refuses(matcher: RegExp | undefined, literal: string): boolean {
  return matcher !== undefined && !matcher.test(literal.replace(/^\\/, ''))
}

/** The longest text for which the ways, times the length to the power of the degree, stay within the limit. */
function longestOf({ degree, ways }: Run, branches: number): number {
  const steps = MAX_STEPS / (ways * branches)
  if (steps < 1) return 0
  if (degree === 0 || (degree === 1 && ways === 1)) return Infinity
  let orders = 1
  for (let factor = 2; factor <= degree; factor++) orders *= factor
  return Math.floor((steps * orders) ** (1 / degree))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total * number, 1)
}
