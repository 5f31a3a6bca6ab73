/** The function words, number words and comparatives of English. */

/** Words such as articles, pronouns and auxiliaries, which carry no content. */
export const FUNCTION_WORDS = setOf(
  'a an the this that these those some any each every all both either my your his her its our their mine yours i me we us you he him she it they them',
  'everything anything something nothing everyone someone myself who whom whose which what where when why how is are am was were be been being do does did doing done has have had having will would can could',
  'shall should may might must ought of in on at to from by for with without within into onto over under above below between among about against during',
  'through via per as than then so and or but if because while since until till not no nor too also just only even very much many more most less least',
  'please there here out up down off again now let lets like such same other another own upon along using used',
  'right currently given if assuming say am pm s t re ve ll d m don doesn isn let’s whats around near across towards toward after before based regarding concerning',
)

export const PREPOSITIONS = setOf(
  'of in on at to from by for with without within into onto over under above below between among about against during through via per as than until till',
  'since near around across towards toward after before regarding using',
)

/** Words that refer to something mentioned or found earlier. */
export const PRONOUNS = setOf('it its that this them their those these they one ones')

/** Words of negation. */
export const NEGATIONS = setOf('not no without never don doesn isn exclude excluding except dont')

/** Returns true for a word of negation. */
export function isNegation(word: string): boolean {
  return DENIALS.has(word) || /n['’]t$/.test(word)
}

const DENIALS = setOf('not no none nothing nobody without never dont cannot neither nor excluding except avoid refuse')

export const DETERMINERS = setOf('a an the my your his her its our their this that these those some any each every all both')

/** Words that link a subject to its complement. */
export const COPULAS = setOf('is are was were be equals equal =')

/** Words that express a wish. */
export const WISHES = setOf('want need like wish love')

/** Possessive words. */
export const POSSESSIVES = setOf('my your his her its our their')

/** First-person words. */
export const OWN_WORDS = setOf('i my mine we our ours')

/** Words that ask a question. */
export const QUESTION_WORDS = setOf('what where when who which how why whose whom is are can could do does did will would should')

/** Courtesies, particles, counters, and words with hardly any sense of their own. */
export const LIGHT_WORDS = setOf(
  'please thanks thank hi hello hey ok okay kindly well so maybe perhaps soon already ready really actually back away piece pieces make put',
  'come go take got new far next left still aside currently happen happens happening there somewhere anywhere overall altogether pair pairs cost costs costing',
)

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const NUMBER_WORDS = new Map<string, number>([
  ...NUMBERS.split(' ').map((word, index): [string, number] => [word, index]),
  ...'thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, index): [string, number] => [word, 30 + index * 10]),
  ['dozen', 12],
  ['half', 0.5],
])

/** Returns the value of a number word. */
export function numberOfWord(word: string): number | undefined {
  return NUMBER_WORDS.get(word)
}

/** The number by which a word after a number multiplies it. */
export const MULTIPLIERS = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
])

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

/** Returns the zero-based position of an ordinal. The position of "last" is -1. */
export function placeOfWord(word: string): number | undefined {
  if (word === 'last' || word === 'final') return -1
  const index = ORDINALS.indexOf(word)
  if (index >= 0) return index
  const digits = /^(\d{1,3})(?:st|nd|rd|th)$/.exec(word)
  return digits === null ? undefined : Number(digits[1]) - 1
}

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
