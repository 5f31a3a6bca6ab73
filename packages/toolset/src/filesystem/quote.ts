/** A path as messages show it. */

/** Controls, marks of writing direction, line separators, the byte order mark: what a reader does not see. */
export const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu

const MAX_SHOWN = 100

/** Quoted, short, and with what cannot be seen made visible. */
export function quote(path: string): string {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path
  return JSON.stringify(shown).replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
