/** Finds the codes that a parameter accepts, by their names in plain English. */
import { FUNCTION_WORDS } from '../words/words.ts'

/**
 * Returns the codes by meaning in lower case: those explained in the description ("fr for French"), and two-letter codes with a name in
 * `Intl`.
 */
export function readCodes(words: readonly string[], description: string): ReadonlyMap<string, string> {
  const codes = /\btwo[- ]letter\b/i.test(description) ? namedPairs(words) : new Map<string, string>()
  for (const [, code = '', meaning = ''] of description.matchAll(EXPLAINED))
    if (!FUNCTION_WORDS.has(code) || /^\p{Lu}/u.test(meaning)) codes.set(meaning.toLowerCase(), code)
  return codes
}

/** Matches "fr for French" and "F = Fahrenheit". Codes are short: a code in lower case has two or three letters. */
const EXPLAINED = /(?<![\p{L}\p{N}-])(\p{Lu}[\p{Lu}\p{N}]{0,4}|\p{Ll}{2,3})(?: for | means | ?= ?)"?(\p{Lu}?\p{L}{2,30})/gu

/** Returns all two-letter codes of one kind in `Intl`, by name. Returns an empty map if no word of the parameter names such a kind. */
function namedPairs(words: readonly string[]): Map<string, string> {
  const codes = new Map<string, string>()
  const names = words.map(displayNames).find((found) => found !== undefined)
  if (names === undefined) return codes
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second
      const name = names.of(code)
      if (name !== undefined && Intl.getCanonicalLocales(code)[0] === code) codes.set(name.toLowerCase(), code)
    }
  }
  return codes
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function displayNames(type: string): Intl.DisplayNames | undefined {
  try {
    const names = new Intl.DisplayNames(['en'], { type: type as Intl.DisplayNamesType, fallback: 'none' })
    names.of('en')
    return names
  } catch {
    return undefined
  }
}
