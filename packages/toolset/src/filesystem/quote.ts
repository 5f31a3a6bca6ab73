/** Quotes paths for messages. */

/**
 * Matches characters that a reader can't see: control characters, marks of writing direction, line separators, the byte order mark and
 * zero-width spaces. Also matches the tags and selectors of plane 14, which can hide entire messages. Allows the joiners U+200C and U+200D
 * only between characters beyond ASCII, because Persian, Indic scripts and composed emoji use them.
 */
export const UNSEEN =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\u{e0000}-\u{e0fff}]|(?<![^\p{ASCII}\p{Cf}])[\u200c\u200d]|[\u200c\u200d](?![^\p{ASCII}\p{Cf}])/gu

const MAX_SHOWN = 100

/** Returns the path in quotes, shortened, and with invisible characters escaped. */
export function quote(path: string): string {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path
  return JSON.stringify(shown).replace(UNSEEN, escapeUnits)
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
