/** Distinguishes a request from a question, a condition, a prohibition and a report. */

import { isUndoing, isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { DETERMINERS, isNegation } from '../words/words.ts'
import type { Clause } from './clauses.ts'

/** Why a clause doesn't request a change. */
export type Hindrance = 'negated' | 'conditional' | 'question' | 'report' | 'undone'

/** Returns why a clause isn't a request to change something, or undefined for a request. */
export function hindranceOf(clause: Clause): Hindrance | undefined {
  const tokens = openingOf(clause.tokens)
  const [first, second] = tokens
  if (first === undefined) return undefined
  const main = withoutContent(tokens)
  if (isCondition(clause) && tokens.at(-1)?.text !== '?') return 'conditional'
  if (isAbout(main) || isYesOrNo(first, second)) return 'question'
  if (isConditional(main)) return 'conditional'
  if (main.some((_, index) => isDenied(main, index))) return 'negated'
  if (isReport(main)) return 'report'
  const isAsked = REQUESTERS.has(first.lower) || isVerb(first.lower) || main.some(({ lower }) => WISHING.has(lower))
  if (tokens.at(-1)?.text === '?' && !isAsked) return 'question'
  const verb = main.find(({ lower }) => isVerb(lower))
  return verb !== undefined && isUndoing(verb.lower) ? 'undone' : undefined
}

/** Returns true for a clause that asks for nothing: a prohibition, or a statement such as "I cannot come" and "the trip is off". */
export function isRemark(clause: Clause): boolean {
  const tokens = openingOf(clause.tokens)
  const isStated = tokens.slice(1, 5).some(({ lower }) => STATING.has(lower) || isNegation(lower))
  const isWish = tokens.some(({ lower }) => WISHING.has(lower)) || tokens.at(-1)?.text === '?'
  return forbids(clause) || (SPEAKERS.has(tokens[0]?.lower ?? '') && isStated && !isWish)
}

/** Returns true for a clause that states the condition for another clause. */
export function isCondition({ tokens }: Clause): boolean {
  const [first, second] = openingOf(tokens)
  const isWaiting = first?.lower === 'wait' || first?.lower === 'once'
  return isWaiting || CONDITIONS.has(first?.lower ?? '') || (first?.lower === 'in' && second?.lower === 'case')
}

/** Returns true for "don't …" and "never …", which forbid even reading. */
export function forbids({ tokens }: Clause): boolean {
  const [first, second] = openingOf(tokens)
  if (first === undefined) return false
  return (first.lower !== 'no' && isNegation(first.lower)) || (first.lower === 'do' && isNegation(second?.lower ?? ''))
}

/**
 * Returns true if the reason why the previous clause doesn't request a change also applies to this clause. In "Don't buy A or sell B", the
 * negation covers both.
 */
export function spreads(hindrance: Hindrance, clause: Clause, before: Clause): boolean {
  if (clause.joint !== 'and' || forbids(clause)) return false
  const between = clause.source.slice(before.tokens.at(-1)?.end, clause.tokens[0]?.start).toLowerCase()
  if (/\b(?:please|but|except|you)\b/.test(between)) return false
  if (hindrance === 'negated') return /^\s*(?:and|or)\s*$/.test(between)
  return hindrance === 'question' || hindrance === 'conditional'
}

const CONDITIONS = new Set(['if', 'unless', 'when', 'whenever', 'whether', 'suppose', 'supposing', 'assuming', 'provided'])
const TIMES = new Set(['before', 'after', 'until', 'till', 'once'])
const PERSONS = new Set(['i', 'you', 'we', 'he', 'she', 'they', 'it'])
const OPENERS = new Set([
  'please',
  'and',
  'but',
  'so',
  'then',
  'ok',
  'okay',
  'well',
  'hey',
  'hi',
  'hello',
  'also',
  'now',
  ',',
  'just',
])
const REQUESTERS = new Set(['can', 'could', 'would', 'will'])
const QUESTIONS = new Set(['how', 'why', 'what', 'when', 'where', 'who', 'whom', 'whose', 'which'])
const QUESTIONS_INSIDE = new Set(['how', 'why', 'whether'])
const ALWAYS_ASKING = new Set(['is', 'are', 'was', 'were', 'am', 'did', 'does', 'should', 'shall', 'might', 'may', 'must'])
const AUXILIARIES = new Set(['do', 'have', 'has', 'had', 'can', 'could', 'would', 'will'])
const SUBJECTS = new Set([
  ...DETERMINERS,
  ...'i you we they he she it one anyone anybody someone somebody everyone nobody there'.split(' '),
])
const SPEAKERS = new Set([...DETERMINERS, ...'i we you he she they it somebody someone'.split(' ')])
const STATING = new Set('am is are was were have has had will cannot'.split(' '))
const WISHING = new Set(['want', 'need', 'like', 'wish', 'love', 'appreciate', 'prefer', 'please', 'gotta'])
const REPORTING = new Set(
  'did had was were been already would could might may should said says told tells thinking considering wondering'.split(' '),
)
const UNSURE = new Set(['may', 'might'])
const CONTENT = new Set(['that', 'because', 'since', 'saying', ':'])
const COURTESIES = new Set(['possible', 'you', 'necessary', 'needed'])
const COMPARISONS = new Set([
  'more',
  'less',
  'fewer',
  'later',
  'earlier',
  'higher',
  'lower',
  'longer',
  'above',
  'below',
  'over',
  'only',
])

function openingOf(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex(({ lower }) => !OPENERS.has(lower))
  return start < 0 ? [] : tokens.slice(start)
}

/** Returns the clause's tokens, without reported speech or a reason at its end. */
function withoutContent(tokens: readonly Token[]): readonly Token[] {
  const verb = tokens.findIndex(({ lower }) => isVerb(lower))
  const end = tokens.findIndex(({ lower }, index) => verb >= 0 && index > verb && CONTENT.has(lower))
  return tokens.slice(0, end < 0 ? tokens.length : end)
}

function isConditional(tokens: readonly Token[]): boolean {
  return tokens.some(({ lower, kind }, index) => {
    const next = tokens[index + 1]?.lower ?? ''
    if (kind !== 'word') return false
    if (lower === 'when' && index === 0 && tokens.at(-1)?.text === '?') return false
    if ((lower === 'in' && next === 'case') || (lower === 'soon' && next === 'as')) return true
    if (TIMES.has(lower) && PERSONS.has(next)) return true
    return CONDITIONS.has(lower) && !(lower === 'if' && COURTESIES.has(next))
  })
}

function isAbout(tokens: readonly Token[]): boolean {
  return tokens.some(({ lower }, index) => (index === 0 ? QUESTIONS : QUESTIONS_INSIDE).has(lower))
}

/** Returns true for "Could one …", which is a question, and false for "Could you …", which is a request. */
function isYesOrNo({ lower }: Token, second: Token | undefined): boolean {
  if (REQUESTERS.has(lower) && second?.lower === 'you') return false
  return ALWAYS_ASKING.has(lower) || (AUXILIARIES.has(lower) && SUBJECTS.has(second?.lower ?? ''))
}

/** Returns true for "not", "instead of", "rather than" and "other than", and false for "no more than 5", which denies nothing. */
export function isDenied(tokens: readonly Token[], index: number): boolean {
  const { lower = '', kind } = tokens[index] ?? {}
  const next = tokens[index + 1]?.lower ?? ''
  if ((lower === 'instead' && next === 'of') || ((lower === 'rather' || lower === 'other') && next === 'than')) return true
  return kind === 'word' && isNegation(lower) && !COMPARISONS.has(next)
}

/** Returns true for "I did …", "I would …", "I might want …", "the box was …" and "we ordered …". */
function isReport(tokens: readonly Token[]): boolean {
  const [first, second] = tokens
  if (!SPEAKERS.has(first?.lower ?? '')) return false
  if (UNSURE.has(second?.lower ?? '')) return true
  if (tokens.some(({ lower }) => WISHING.has(lower))) return false
  const isPast = second?.lower.endsWith('ed') === true && second.lower !== 'need' && !DETERMINERS.has(first?.lower ?? '')
  return isPast || tokens.slice(1).some(({ lower }) => REPORTING.has(lower))
}
