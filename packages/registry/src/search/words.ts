/** Splits text into words. Also splits identifiers, normalizes the spelling and removes stop words. */

/**
 * Maximum number of characters to read. Of a longer text, only the start and the end are read, because a request often ends with the
 * question.
 */
const MAX_CHARACTERS = 8_000
const MAX_WORD = 64

/**
 * Returns the words of a text in order, in lower case and without accents: `getHTTPStatus_v2` becomes `http`, `status`, `v`, `2`. In
 * scripts without spaces between words, returns pairs of characters. Removes stop words, unless the text has no other words.
 */
export function wordsOf(text: string): readonly string[] {
  const short = shorten(text)
  const all = NOT_ASCII.test(short) ? anyWordsOf(short) : asciiWordsOf(short)
  const words = all.filter((word) => !STOP_WORDS.has(word))
  return words.length > 0 ? words : all
}

function shorten(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, MAX_CHARACTERS / 2)} ${text.slice(-MAX_CHARACTERS / 2)}`
}

/** Like {@link anyWordsOf}, but several times faster. Only for ASCII text, the common case. */
function asciiWordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase()
  const words: string[] = []
  let end = 0
  for (let start = 0; start < text.length; start = end) {
    const kind = kindAt(text, start)
    end = endOf(kind, text, start)
    if (kind === CAPITAL && kindAt(text, end) === SMALL) end = end - start > 1 ? end - 1 : endOf(SMALL, text, end)
    if (kind !== SIGN) words.push(lower.slice(start, Math.min(end, start + MAX_WORD)))
  }
  return words
}

const [SIGN, SMALL, CAPITAL, DIGIT] = [0, 1, 2, 3]

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 97 && code <= 122) return SMALL
  if (code >= 65 && code <= 90) return CAPITAL
  return code >= 48 && code <= 57 ? DIGIT : SIGN
}

function endOf(kind: number, text: string, start: number): number {
  let end = start + 1
  while (end < text.length && kindAt(text, end) === kind) end++
  return end
}

function anyWordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [piece] of fold(text).matchAll(WORD)) {
    const word = piece.slice(0, MAX_WORD).toLowerCase()
    for (const [at, run] of word.split(UNSPACED).entries()) {
      if (run !== '') words.push(...(at % 2 === 1 ? pairsOf(run) : [run]))
    }
  }
  return words
}

/** Removes accents and normalizes equivalent characters, such as full-width ones. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(LATIN_ACCENTS, '').normalize('NFC')
}

/** Splits characters into overlapping pairs. A query can then match a tool without a dictionary: `天气预` becomes `天气`, `气预`. */
function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`)
}

const NOT_ASCII = /[\u0080-\uffff]/
const LATIN_ACCENTS = /[\u0300-\u036f]/g

/**
 * Matches a word with an optional capital, a number, or a run of capitals up to the one that starts the next word. Each text has only one
 * possible match, so matching takes linear time.
 */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu

const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u

const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'a an the this that these those there here it its itself',
    'i me my mine we us our ours you your yours he him his she her hers they them their theirs',
    'of to in on at for from by with into about out up over under again between within during through per via as',
    'and or but nor if then than so not no',
    'is are was were be been being am do does did done doing has have had having',
    'can could should would will shall may might must',
    'what which who whom whose when where why how',
    'some any all each every both few more most other such only own same too very just also',
    'please want wants need needs help like let give tell show know get got make',
  ].flatMap((line) => line.split(' ')),
)
