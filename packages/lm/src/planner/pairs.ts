/** Reads statements that give a name to something: "my X is Y", "X = Y", "Y under X", "X to Y". */
import type { Clause } from './clauses.ts'
import { isVerb } from './lexicon.ts'
import { bodyStart, stretch } from './phrases.ts'
import { COPULAS, QUESTION_WORDS } from './words.ts'

export interface Pair {
  readonly label: string
  readonly content: string
}

/** The pair that a clause states, if it states one. */
export function findPair(clause: Clause): Pair | undefined {
  const { tokens } = clause
  if (QUESTION_WORDS.has(tokens[0]?.lower ?? '') || tokens.at(-1)?.text === '?') return undefined
  const body = Math.min(verbEnd(clause), bodyStart(tokens))
  const at = (words: ReadonlySet<string>) => tokens.findIndex(({ lower, kind }, index) => index > body && index < tokens.length - 1 && kind !== 'quote' && words.has(lower))
  const sides = (place: number): [string, string] => [stretch(clause, body, place), stretch(clause, place + 1, tokens.length)]
  for (const [words, isLabelFirst] of FORMS) {
    const place = at(words)
    if (place < 0) continue
    const [left, right] = sides(place)
    if (left !== '' && right !== '') return isLabelFirst ? { label: left, content: right } : { label: right, content: left }
  }
  const quotes = tokens.filter(({ kind }) => kind === 'quote')
  return quotes.length === 2 ? { label: quotes[0]?.text ?? '', content: quotes[1]?.text ?? '' } : undefined
}

const FORMS: readonly (readonly [ReadonlySet<string>, boolean])[] = [
  [new Set(['under', 'as', 'named', 'called', 'titled']), false],
  [COPULAS, true],
  [new Set([':', '=']), true],
  [new Set(['to']), true],
]

function verbEnd({ tokens }: Clause): number {
  const verb = tokens.findIndex(({ lower }) => isVerb(lower))
  return verb >= 0 && verb < 4 ? verb + 1 : 0
}
