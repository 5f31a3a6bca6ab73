/** Finds the stems of English words with Porter's algorithm (M. F. Porter, "An algorithm for suffix stripping", 1980). */

/**
 * Returns the stem of a word, which is the same for `calculating`, `calculates` and `calculate`. A word with characters other than a–z is
 * returned unchanged.
 */
export function stemOf(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word
  const singular = withoutPlural(word)
  const plain = withoutFinalY(withoutTense(singular))
  return tidy(withoutLast(replaceLast(replaceLast(plain, DOUBLE_ENDINGS), ENDINGS)))
}

/** Step 1a: removes a plural ending. */
function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Step 1b: removes `ed` and `ing`. */
function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = ['ed', 'ing'].find((each) => word.endsWith(each))
  const stem = word.slice(0, word.length - (ending?.length ?? 0))
  if (ending === undefined || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

/** Step 1c: replaces a final `y` with `i`. */
function withoutFinalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

/** Steps 2 and 3: replaces the longest matching ending if the remaining stem is long enough. */
function replaceLast(word: string, endings: ReadonlyMap<string, string>): string {
  const ending = longestEnding(word, endings)
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  return measure(stem) > 0 ? stem + endings.get(ending) : word
}

/** Step 4: removes the longest matching ending. */
function withoutLast(word: string): string {
  const ending = longestEnding(word, LAST_ENDINGS)
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  return measure(stem) > 1 && (ending !== 'ion' || /[st]$/.test(stem)) ? stem : word
}

/** Step 5: removes a final `e` or a double `l`. */
function tidy(word: string): string {
  const stem = word.endsWith('e') ? word.slice(0, -1) : word
  const syllables = measure(stem)
  const shorter = syllables > 1 || (syllables === 1 && !endsShort(stem)) ? stem : word
  return shorter.endsWith('ll') && measure(shorter) > 1 ? shorter.slice(0, -1) : shorter
}

const LONGEST_ENDING = 7

function longestEnding(word: string, endings: ReadonlyMap<string, string> | ReadonlySet<string>): string | undefined {
  for (let length = Math.min(LONGEST_ENDING, word.length - 1); length > 1; length--) {
    const ending = word.slice(-length)
    if (endings.has(ending)) return ending
  }
  return undefined
}

/** Counts how often a consonant follows a vowel. The result is roughly the number of syllables. */
function measure(stem: string): number {
  let changes = 0
  let wasVowel = false
  for (let at = 0; at < stem.length; at++) {
    const isVowel = isVowelAt(stem, at, wasVowel)
    if (wasVowel && !isVowel) changes++
    wasVowel = isVowel
  }
  return changes
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (isVowelAt(stem, at, false)) return true
  return false
}

/** True if the stem ends with a consonant, a vowel and a consonant, as in `hop`. Such a stem has usually lost an `e`. */
function endsShort(stem: string): boolean {
  let [first, second, third] = [true, false, true]
  for (let at = 0; at < stem.length; at++) [first, second, third] = [second, third, isVowelAt(stem, at, third)]
  return stem.length > 2 && !first && second && !third && !/[wxy]$/.test(stem)
}

/** True for a vowel. `y` counts as a vowel after a consonant. */
function isVowelAt(stem: string, at: number, isAfterVowel: boolean): boolean {
  const letter = stem[at] as string
  return 'aeiou'.includes(letter) || (letter === 'y' && at > 0 && !isAfterVowel)
}

const DOUBLE_ENDINGS: ReadonlyMap<string, string> = new Map<string, string>([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
])

const ENDINGS: ReadonlyMap<string, string> = new Map<string, string>([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])

const LAST_ENDINGS: ReadonlySet<string> = new Set([
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'],
  ...['ion', 'ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
])
