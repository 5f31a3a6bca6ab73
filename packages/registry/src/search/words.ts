/** The words of any text: names taken apart, spelling made even, and what every sentence holds left out. */

/** Characters read of one text; of a longer one the two ends, since a request often ends with what it asks. */
const MAX_CHARACTERS = 8_000
const MAX_WORD = 64

/**
 * Lower-case words in their order, without accents: `getHTTPStatus_v2` is `http`, `status`, `v`, `2`. Scripts that put no space
 * between words give pairs of characters. Words of English grammar and of asking are left out, unless there are no others.
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

/** What {@link anyWordsOf} gives for such a text, several times faster: most texts are such. */
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

/** Without accents, and with one spelling for characters that mean the same, such as those of full width. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(LATIN_ACCENTS, '').normalize('NFC')
}

/** `天气预` is `天气`, `气预`: the two-character words of the query meet those of the tool without a dictionary. */
function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`)
}

const NOT_ASCII = /[\u0080-\uffff]/
const LATIN_ACCENTS = /[\u0300-\u036f]/g

/** Capitals up to the last before a small letter, a word with or without its capital, or a number: each read in one way only. */
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
