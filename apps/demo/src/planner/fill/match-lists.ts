/** Finds lists in a clause for array parameters: "1, 2 and 3", "[a, b]", "milk, eggs and bread". */
import type { Clause } from '../clauses/clauses.ts'
import type { Phrase } from '../clauses/phrase.ts'
import type { Parameter } from '../tools/parameters.ts'
import type { Token } from '../words/token.ts'

export interface ListMatch {
  readonly values: readonly unknown[]
  /** The token positions of the list. `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Returns the lists of numbers in a clause. */
export function numberLists({ tokens }: Clause): ListMatch[] {
  const lists: ListMatch[] = []
  let [from, to] = [-1, -1]
  let values: number[] = []
  const close = () => {
    if (values.length > 1 || (values.length === 1 && tokens[from - 1]?.text === '[')) lists.push({ values, from, to })
    values = []
  }
  tokens.forEach((token, index) => {
    if (token.number !== undefined && token.kind === 'number') {
      if (values.length === 0) from = index
      values.push(token.number)
      to = index + 1
    } else if (!isSeparator(token)) close()
  })
  close()
  return lists
}

/** Returns the phrases that best fit an array of strings: a list of several phrases, or a single phrase that is quoted or named. */
export function textList(
  { stems, descriptionStems, required }: Parameter,
  phrases: readonly Phrase[],
  { tokens }: Clause,
): ListMatch | undefined {
  let best: ListMatch | undefined
  // One quoted phrase is no evidence for a list that can be omitted.
  let bestScore = required ? 1 : 1.5
  for (let start = 0; start < phrases.length; start++) {
    let end = start
    while (end + 1 < phrases.length && isRow(tokens.slice(phrases[end]?.to, phrases[end + 1]?.from))) end++
    const run = phrases.slice(start, end + 1)
    const first = run[0] as Phrase
    const near = tokens.slice(Math.max(0, first.from - 4), first.from)
    const named = near.some(({ stem }) => stems.includes(stem))
      ? 2
      : near.some(({ stem, kind }) => kind === 'word' && stem.length > 3 && descriptionStems.has(stem))
        ? 0.5
        : 0
    const score = run.length + named + (first.kind === 'quote' ? 0.5 : 0)
    if (score > bestScore) {
      bestScore = score
      best = { values: run.map(({ text }) => text), from: first.from, to: run.at(-1)?.to ?? first.to }
    }
    start = end
  }
  return best
}

function isSeparator({ kind, lower, text }: Token): boolean {
  return lower === 'and' || lower === 'or' || (kind === 'sign' && /[,;&[\](){}]/.test(text))
}

function isRow(between: readonly Token[]): boolean {
  return (
    between.length > 0 &&
    between.length <= 3 &&
    between.every((token) => isSeparator(token) || /^(?:a|an|the)$/.test(token.lower)) &&
    between.some(isSeparator)
  )
}
