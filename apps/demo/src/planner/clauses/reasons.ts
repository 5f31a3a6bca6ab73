/** Finds the reason that a user gives for a request: "because it is broken", ", I do not like it". */

import type { Token } from '../words/token.ts'
import { isNegation } from '../words/words.ts'

/** Returns the position of the first word of the reason, or -1. */
export function reasonStart(tokens: readonly Token[]): number {
  const because = tokens.findIndex(({ lower }) => lower === 'because')
  return because >= 0 ? because + 1 : tokens.findIndex((_, index) => isStatement(tokens, index))
}

/** Returns true for a sentence after a comma or a full stop that has a subject and an auxiliary: "the left one is broken". */
function isStatement(tokens: readonly Token[], index: number): boolean {
  const isApart = index > 1 && SIGNS.has(tokens[index - 1]?.text ?? '')
  if (!isApart || !SUBJECTS.has(tokens[index]?.lower ?? '')) return false
  return tokens.slice(index + 1, index + FARTHEST).some(({ lower }) => AUXILIARIES.has(lower) || isNegation(lower))
}

const FARTHEST = 6
const SIGNS = new Set([',', '.', ':', '-', '–', '—'])
const SUBJECTS = new Set('i it its one they the this that these there my we'.split(' '))
const AUXILIARIES = new Set('is are was were do does did has have had came arrived'.split(' '))
