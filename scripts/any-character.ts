/** Characters of the texts in property tests. */
import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/**
 * Any character except a surrogate, for `fc.string({ unit: anyCharacter })`. It generates and shrinks what the unit `binary` does, but
 * `binary` builds a map of all 1,112,064 characters in each thread.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES).map(toCharacter, (value) => {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (code === undefined) throw new Error('Not a character.')
  const index = code < FIRST_SURROGATE ? code : code - SURROGATES
  if (toCharacter(index) !== value) throw new Error('Not a single character, or a surrogate.')
  return index
})

function toCharacter(index: number): string {
  return String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES)
}
