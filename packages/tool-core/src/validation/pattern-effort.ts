/** How much work a regular expression can make of a text, from its shape: the groups to check, and the longest text to try. */
import { degreeOf } from './pattern-degree.ts'
import { checkedIn, holdsReference, measureAll, product, sum } from './pattern-measure.ts'
import { piecesOf } from './pattern-pieces.ts'

export interface PatternEffort {
  /** Repeated groups, as source: with one that can take a text in two ways, the work doubles with every character. */
  readonly repeated: readonly string[]
  /** True when a repeated group refers back to another: nothing can judge that. */
  readonly repeatsReference: boolean
  /** What a text can cost when the repeated groups are sound. */
  readonly cost: MatchCost
  /** The longest text, in characters, that is safe to try; `Infinity` for a linear pattern. */
  readonly longest: number
}

/** A search takes at most `ways * length ** degree` steps. */
export interface MatchCost {
  readonly degree: number
  readonly ways: number
}

/** Steps of a search that take some 50 ms, also before the engine has compiled the pattern. */
const MAX_STEPS = 10_000_000

/** The effort of a pattern that `RegExp` accepts; `undefined` when it is nested too deeply to be judged. */
export function effortOf(pattern: string): PatternEffort | undefined {
  const pieces = piecesOf(pattern)
  if (pieces === undefined) return undefined
  const branches = measureAll(pieces)
  const checked = branches.flatMap((branch) => branch.flatMap(checkedIn))
  const ways = sum(branches.map((branch) => product(branch.map((measured) => measured.ways))))
  const cost = { degree: degreeOf(branches), ways }
  return {
    repeated: checked.map(({ piece }) => piece.source),
    repeatsReference: checked.some(holdsReference),
    cost,
    longest: longestOf(cost),
  }
}

/** The longest text whose steps stay within the limit. */
function longestOf({ degree, ways }: MatchCost): number {
  const steps = MAX_STEPS / ways
  if (steps < 1) return 0
  return degree === 0 || (degree === 1 && ways === 1) ? Infinity : Math.floor(steps ** (1 / degree))
}
