/** Unescapes a text that was HTML-escaped as a whole. */
import type { Unescaped } from './escape.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\u00a0',
  '#34': '"',
  '#39': "'",
  '#x27': "'",
}

/** Undefined if a quote or an ampersand isn't escaped. */
export function unescapeHtml(text: string): Unescaped | undefined {
  let isWhole = !text.includes('"')
  const unescaped = text.replace(/&(?:([a-z]{2,4}|#\d{2}|#x27);)?/g, (_, name: string | undefined) => {
    const character = name === undefined ? undefined : ENTITIES[name]
    if (character === undefined) isWhole = false
    return character ?? ''
  })
  return isWhole ? { text: unescaped, spaces: [] } : undefined
}
