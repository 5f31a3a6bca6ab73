/** Finds the numbers of a clause, and the words that make them an upper or a lower limit. */
import type { Token } from '../words/token.ts'
import { isNegation } from '../words/words.ts'

export interface Quantity {
  readonly value: number
  /** The position of the number in the clause. The range from `from` to `to` also contains the words of a limit. */
  readonly index: number
  readonly from: number
  readonly to: number
  readonly bound?: 'max' | 'min' | undefined
  /** True for one end of "between 5 and 10". */
  readonly ranged: boolean
  readonly percent: boolean
  readonly exact: boolean
}

/** Returns the quantities of a clause in order. */
export function findQuantities(tokens: readonly Token[]): Quantity[] {
  const quantities: Quantity[] = []
  tokens.forEach((token, index) => {
    if (token.number === undefined || token.kind === 'quote' || isPronounOne(tokens, index)) return
    const before = tokens.slice(Math.max(0, index - 4), index).map(({ lower }) => lower)
    const after = tokens.slice(index + 1, index + 4).map(({ lower }) => lower)
    const range = limitBetween(tokens, index)
    const limit = range ?? limitBefore(before) ?? limitAfter(after)
    const percent = after[0] === '%' || after[0] === 'percent'
    quantities.push({
      value: token.number,
      index,
      from: index - (limit?.before ?? 0),
      to: index + 1 + (limit?.after ?? 0),
      ...(limit !== undefined && { bound: limit.bound }),
      ranged: range !== undefined,
      percent,
      exact: token.kind === 'number',
    })
  })
  return quantities
}

interface Limit {
  readonly bound: 'max' | 'min'
  readonly before: number
  readonly after: number
}

/** Returns true for "one" in "the cheapest one" and "that one", which isn't a number. */
function isPronounOne(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.lower !== 'one') return false
  const next = tokens[index + 1]
  return (
    next === undefined ||
    next.kind === 'sign' ||
    (index > 0 && next.kind === 'word' && /^(?:the|that|this|which|to|in|into|and|with|for)$/.test(next.lower))
  )
}

const UPPER = new Set(['under', 'below', 'max', 'maximum', '<', '≤', 'upto', 'within'])
const LOWER = new Set(['over', 'above', 'min', 'minimum', '>', '≥', 'exceeding'])
const SMALLER = new Set(['less', 'fewer', 'lower', 'cheaper', 'smaller', 'shorter', 'younger', 'earlier', 'lighter', 'slower'])
const SKIPPED = new Set(['of', '$', '€', '£', 'a', 'an', 'the', 'about', 'around', 'is', '=', ':'])

function limitBefore(before: readonly string[]): Limit | undefined {
  let last = before.length - 1
  while (last >= 0 && SKIPPED.has(before[last] as string)) last--
  const word = before[last] ?? ''
  const previous = before[last - 1] ?? ''
  const found = (bound: 'max' | 'min', words: number): Limit => ({ bound, before: before.length - last - 1 + words, after: 0 })
  if (UPPER.has(word)) return found('max', 1)
  if (LOWER.has(word)) return isNegation(previous) ? found('max', 2) : found('min', 1)
  if (previous === 'at' && word === 'most') return found('max', 2)
  if (previous === 'at' && word === 'least') return found('min', 2)
  if (previous === 'up' && word === 'to') return found('max', 2)
  if (word !== 'than') return undefined
  const negated = isNegation(before[last - 2] ?? '')
  if (SMALLER.has(previous)) return found(negated ? 'min' : 'max', negated ? 3 : 2)
  return previous === 'more' || previous.endsWith('er') ? found(negated ? 'max' : 'min', negated ? 3 : 2) : undefined
}

function limitAfter(after: readonly string[]): Limit | undefined {
  const or = after.slice(0, 2).indexOf('or')
  const word = or < 0 ? '' : (after[or + 1] ?? '')
  if (SMALLER.has(word) || word === 'under' || word === 'below') return { bound: 'max', before: 0, after: or + 2 }
  const isMore = word === 'more' || word === 'over' || word === 'above' || (word.endsWith('er') && word.length > 4)
  return isMore ? { bound: 'min', before: 0, after: or + 2 } : undefined
}

/** Returns the limit in "between 5 and 10". */
function limitBetween(tokens: readonly Token[], index: number): Limit | undefined {
  if (tokens[index - 1]?.lower === 'between') return { bound: 'min', before: 1, after: 0 }
  const start = Math.max(0, index - 5)
  const between = tokens.slice(start, index).findIndex(({ lower }) => lower === 'between')
  const isSecond = between >= 0 && tokens[index - 1]?.lower === 'and' && tokens[start + between + 1]?.number !== undefined
  return isSecond ? { bound: 'max', before: 1, after: 0 } : undefined
}
