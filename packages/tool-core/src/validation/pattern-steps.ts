/** The work of all slow patterns in one check: a list of texts that are short enough one by one can still keep a machine busy. */
import type { Issue } from '../issue.ts'
import type { MatchCost } from './pattern-effort.ts'

/** Some 200 ms: ten of the longest texts that a slow pattern takes, or a thousand of a tenth of that. */
export const STEPS_OF_A_CHECK = 100_000_000

export const TOO_MANY_STEPS: Issue = Object.freeze({
  path: '',
  keyword: 'pattern',
  message: 'holds too many long texts for its patterns: use fewer or shorter ones',
  expected: 'fewer or shorter texts',
})

/** At most. */
export function stepsOf({ degree, ways }: MatchCost, length: number): number {
  return ways * length ** degree
}
