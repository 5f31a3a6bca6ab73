/** A path as messages show it. */

/**
 * What a reader does not see: controls, marks of writing direction, line separators, the byte order mark, spaces without
 * width, and the tags and selectors of plane 14, in which whole texts can be hidden. The two joiners U+200C and U+200D are
 * taken between characters beyond ASCII only: Persian, Indic scripts and composed emoji are written with them.
 */
export const UNSEEN =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\u{e0000}-\u{e0fff}]|(?<![^\p{ASCII}\p{Cf}])[\u200c\u200d]|[\u200c\u200d](?![^\p{ASCII}\p{Cf}])/gu

const MAX_SHOWN = 100

/** Quoted, short, and with what cannot be seen made visible. */
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
