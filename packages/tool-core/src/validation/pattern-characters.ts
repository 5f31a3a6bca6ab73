/** Which characters a piece of a pattern can take, on a sample that stands for all of them. */

/** Characters of the sample; `undefined` for what may take anything. */
export type Characters = ReadonlySet<string> | undefined

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const SPACES = [
  ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
]
/** A class that names no character beyond ASCII treats all those alike, but for white space. */
const SAMPLE: readonly string[] = [...ASCII, ...SPACES, '\u4e00']

const PLAIN = /^[\w/@,;:=<>&%~ -]$/
/** Names a character beyond ASCII, or may. */
const BEYOND = /[^\0-\x7f]|\\[uxcpPk\d]/

export function charactersOf(source: string): Characters {
  if (PLAIN.test(source)) return new Set([source])
  if (BEYOND.test(source)) return undefined
  for (const flags of ['su', 's']) {
    try {
      const expression = new RegExp(`^(?:${source})$`, flags)
      return new Set(SAMPLE.filter((character) => expression.test(character)))
    } catch {
      // Then the next.
    }
  }
  return undefined
}

/** False when no character can be taken by both. */
export function overlaps(one: Characters, other: Characters): boolean {
  if (one === undefined || other === undefined) return true
  for (const character of one) if (other.has(character)) return true
  return false
}
