/** A phrase of a clause: a run of content words, a quotation, a date or an id that may become an argument. */

import type { Token, TokenKind } from '../words/token.ts'
import { PREPOSITIONS } from '../words/words.ts'
import type { Clause } from './clauses.ts'
import { isCapital, textOf } from './spans.ts'

export interface Phrase {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The phrase's token positions in the clause. `to` is exclusive. */
  readonly from: number
  readonly to: number
  readonly kind: TokenKind
  /** The preposition before the phrase, if any. */
  readonly preposition?: string | undefined
  /** True for a phrase with a capitalized word, except at the start of the clause. */
  readonly proper: boolean
}

/** Returns a range of tokens as a phrase. */
export function phraseOf(clause: Clause, from: number, to: number): Phrase {
  const tokens = clause.tokens.slice(from, to)
  const first = tokens[0] as Token
  let before = from - 1
  while (before > 0 && /^(?:the|a|an|my|your|its|his|her|our|their)$/.test(clause.tokens[before]?.lower ?? '')) before--
  const isOutOf = clause.tokens[before]?.lower === 'of' && clause.tokens[before - 1]?.lower === 'out'
  const preposition = isOutOf ? 'from' : (clause.tokens[before]?.lower ?? '')
  return {
    text: textOf(clause.source, tokens),
    tokens,
    from,
    to,
    kind: tokens.length === 1 ? first.kind : 'word',
    ...(PREPOSITIONS.has(preposition) && { preposition }),
    proper: from > 0 && tokens.some((token) => token.kind === 'word' && isCapital(token)),
  }
}
