/** Suggests requests that the rules can serve. */
import type { DomainEntry } from '../domains/domain.ts'
import { stem } from '../planner/words/stem.ts'
import { FUNCTION_WORDS } from '../planner/words/words.ts'

/** Number of suggestions. */
export const SUGGESTIONS = 3

/**
 * Returns three examples from the domains: those that share the most words with the request, or examples of different domains if none
 * shares a word. Different requests get different examples, and the same request always gets the same ones.
 */
export function suggestFor(request: string, entries: readonly DomainEntry[]): readonly string[] {
  const words = new Set(contentOf(request))
  const scored = entries.flatMap(({ title, examples }) => {
    const ofDomain = contentOf(title)
    return examples.map((example) => ({
      example,
      score: [...new Set([...contentOf(example), ...ofDomain])].filter((word) => words.has(word)).length,
    }))
  })
  // Neighbors in the list belong to the same domain. A step of a third of the list leads to a different domain.
  const start = [...request].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7)
  const step = Math.max(1, Math.floor(scored.length / SUGGESTIONS))
  const spread = scored.map(
    (_, index) => scored[(start + index * step + Math.floor((index * step) / scored.length)) % scored.length],
  )
  const all = new Set([
    ...scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score),
    ...spread,
    ...scored,
  ])
  return [...all].flatMap((one) => one?.example ?? []).slice(0, SUGGESTIONS)
}

function contentOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.filter((word) => !FUNCTION_WORDS.has(word)).map(stem)
}
