/** Finds the values of closed sets in a clause: enumerations and booleans. */

import type { Parameter } from '../tools/parameters.ts'
import { isVerb } from '../words/lexicon.ts'
import { stem, wordsOfName } from '../words/stem.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS, NEGATIONS } from '../words/words.ts'

export interface ChoiceMatch {
  readonly value: string | number
  /** The token positions of its words. `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Returns the longest choice that appears in the clause. */
export function matchChoice({ choices = [], stems, required }: Parameter, tokens: readonly Token[]): ChoiceMatch | undefined {
  let best: ChoiceMatch | undefined
  for (const value of choices) {
    const words = typeof value === 'number' ? [String(value)] : wordsOfName(value).map(stem)
    if (words.length === 0 || words.length > 8) continue
    const from = tokens.findIndex((_, index) => words.every((word, offset) => sameWord(tokens[index + offset], word, value)))
    if (from < 0) continue
    const isPlain = words.every((word) => FUNCTION_WORDS.has(word) || word.length < 2 || typeof value === 'number')
    const isNamed = required || tokens.slice(Math.max(0, from - 3), from + 3).some((token) => stems.includes(token.stem))
    const longer = best === undefined || words.length > best.to - best.from
    if (longer && (!isPlain || isNamed)) best = { value, from, to: from + words.length }
  }
  return best
}

/**
 * Returns the value of a boolean that the clause names: false with a negation, otherwise true. Returns undefined if the clause doesn't name
 * the boolean.
 */
export function matchSwitch({ words, required }: Parameter, tokens: readonly Token[]): boolean | undefined {
  const content = words.filter((word) => !FUNCTION_WORDS.has(word) && !isVerb(word)).map(stem)
  if (content.length === 0) return undefined
  const places = content.map((word) => tokens.findIndex((token) => token.stem === word))
  const said = places.filter((place) => place >= 0)
  if (said.length < (required ? 1 : content.length)) return undefined
  const first = Math.min(...said)
  const around = tokens.slice(Math.max(0, first - 4), first)
  const after = tokens.slice(first + 1, first + 4).map(({ lower }) => lower)
  return !(
    around.some(({ lower }) => NEGATIONS.has(lower) || lower.endsWith("n't") || lower.endsWith('n’t')) ||
    after.includes('false') ||
    after.includes('off')
  )
}

function sameWord(token: Token | undefined, word: string, value: string | number): boolean {
  if (token === undefined) return false
  return typeof value === 'number' ? token.number === value : token.stem === word || token.lower === word
}
