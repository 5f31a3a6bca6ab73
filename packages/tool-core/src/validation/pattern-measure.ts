/** How much each piece of a pattern can multiply the work, taken by itself. */
import { isGroup, type Piece } from './pattern-pieces.ts'

export interface Measured {
  readonly piece: Piece
  readonly branches: readonly (readonly Measured[])[]
  /** Repetitions without end, of which each can take what the others could. */
  readonly degree: number
  /** In how many ways the rest can take its part of a text. */
  readonly ways: number
  /** True for a group that is repeated so often that only a check can tell. */
  readonly isChecked: boolean
}

/** A group that is repeated a bounded number of times needs no check when it can take a text in fewer ways than this. */
const FEW_WAYS = 1_000_000
const FEW_TIMES = 3
/** A repetition with more variants than this counts as endless, as does one with so many times more. */
const MANY_VARIANTS = 10
const MANY_TIMES = 100

export function measureAll(branches: readonly (readonly Piece[])[]): readonly (readonly Measured[])[] {
  const isLong = branches.some(capturesMuch)
  return branches.map((branch) => branch.map((piece) => measure(piece, isLong)))
}

/** True when a back-reference may stand for a long text, which each comparison reads again. */
function capturesMuch(branch: readonly Piece[]): boolean {
  return branch.some((piece) => isGroup(piece) && ((piece.isCapturing && holdsLoop(piece)) || piece.branches.some(capturesMuch)))
}

function holdsLoop(piece: Piece): boolean {
  return isEndless(piece) || (isGroup(piece) && piece.branches.some((branch) => branch.some(holdsLoop)))
}

function isEndless({ times: { min, max } }: Piece): boolean {
  return max - min >= MANY_VARIANTS || max > MANY_TIMES
}

function measure(piece: Piece, isLong: boolean): Measured {
  const { min, max } = piece.times
  const variants = max - min + 1
  if (!isGroup(piece)) {
    const isLoop = isEndless(piece) || (piece.kind === 'reference' && isLong)
    return { piece, branches: [], degree: isLoop ? 1 : 0, ways: isEndless(piece) ? 1 : variants, isChecked: false }
  }
  const branches = piece.branches.map((branch) => branch.map((inner) => measure(inner, isLong)))
  const inside = Math.max(...branches.map((branch) => sum(branch.map(({ degree }) => degree))))
  const once = sum(branches.map((branch) => product(branch.map(({ ways }) => ways))))
  const ways = once === 1 ? variants : once ** max * Math.min(2, variants)
  const isChecked = max === Infinity || (max > FEW_TIMES && inside > 0) || (max > 1 && ways > FEW_WAYS)
  if (isChecked) return { piece, branches, degree: max === Infinity || inside > 0 ? 1 : 0, ways: 1, isChecked }
  return { piece, branches, degree: inside * max, ways, isChecked }
}

/** The groups that only a check can judge. */
export function checkedIn(measured: Measured): readonly Measured[] {
  const inner = measured.branches.flatMap((branch) => branch.flatMap(checkedIn))
  return measured.isChecked ? [measured, ...inner] : inner
}

export function holdsReference({ piece, branches }: Measured): boolean {
  return piece.kind === 'reference' || branches.some((branch) => branch.some(holdsReference))
}

/** A group that stands once and has no alternatives is what it holds. */
export function inlined(measured: Measured): readonly Measured[] {
  const { piece, branches } = measured
  const [only, another] = branches
  const isPlain = piece.kind === 'group' && another === undefined && piece.times.min === 1 && piece.times.max === 1
  return isPlain && only !== undefined ? only.flatMap(inlined) : [measured]
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

export function product(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total * number, 1)
}
