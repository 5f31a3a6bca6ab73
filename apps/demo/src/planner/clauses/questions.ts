/** Detects what a question asks for. */

import { COPULAS, QUESTION_WORDS } from '../words/words.ts'
import type { Clause } from './clauses.ts'

/** Returns true for a clause that starts with a question word or ends with a question mark. */
export function asks({ tokens }: Clause): boolean {
  return QUESTION_WORDS.has(tokens[0]?.lower ?? '') || tokens.at(-1)?.text === '?'
}

/** Returns true for "my" in any question, and for "I" in a question about a thing, a place, a time or a person. */
export function asksForOwn(clause: Clause): boolean {
  const isOpen = OPEN_QUESTIONS.has(clause.tokens[0]?.lower ?? '')
  return asks(clause) && (saysMy(clause) || (isOpen && clause.tokens.some(({ lower }) => lower === 'i' || lower === 'we')))
}

/** Returns true for a clause about something that the user has. */
export function saysMy({ tokens }: Clause): boolean {
  return tokens.some(({ lower }) => OWN.has(lower))
}

/** Returns true for "Which X do I …" and "What am I …", which ask about something that the user does. */
export function asksWhatUserDoes({ tokens }: Clause): boolean {
  return tokens.some(({ lower }, index) => DOING.has(lower) && ['i', 'we'].includes(tokens[index + 1]?.lower ?? ''))
}

/** Returns true for "What is my X?", which may be about anything. */
export function asksWhatIs({ tokens }: Clause): boolean {
  return OPEN_QUESTIONS.has(tokens[0]?.lower ?? '') && COPULAS.has(tokens[1]?.lower ?? '') && OWN.has(tokens[2]?.lower ?? '')
}

const DOING = new Set(['am', 'are', 'do', 'did', 'have'])
const OWN = new Set(['my', 'our', 'mine'])
const OPEN_QUESTIONS = new Set(['what', 'which', 'where', 'when', 'who', 'whose'])
