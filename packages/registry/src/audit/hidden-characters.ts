/** Finds characters that a model can read but a person can't see. */
import { isNeeded, MAX_CONTEXT } from './needed-characters.ts'

/**
 * The kind of a hidden character:
 * - `zero_width`: has no width, such as U+200B, a soft hyphen, or a joiner that joins nothing;
 * - `bidi`: changes the direction of the displayed text;
 * - `tag`: U+E0000 to U+E007F, which can spell invisible ASCII text;
 * - `variation_selector`: follows a character that it can't vary. A sequence of selectors can encode arbitrary bytes;
 * - `control`: a control character other than tab, line feed and carriage return;
 * - `separator`: U+2028 or U+2029, which only some programs treat as a line break;
 * - `private_use`: has no standard meaning;
 * - `invisible`: any other character that isn't displayed, such as a filler, an invisible operator or the Braille pattern without dots, and an
 *   unusual space (not U+0020 or U+3000) after another one in a row of spaces. Such a row looks like any gap, and can encode arbitrary text.
 */
export type HiddenCharacterKind =
  | 'zero_width'
  | 'bidi'
  | 'tag'
  | 'variation_selector'
  | 'control'
  | 'separator'
  | 'private_use'
  | 'invisible'

export interface HiddenCharacter {
  /** The code point in the form `U+200B`. */
  readonly codePoint: string
  /** Position in the text, in UTF-16 code units. */
  readonly index: number
  readonly kind: HiddenCharacterKind
}

/** Maximum number of findings per text. Ten are enough to show that the text needs a review. */
export const MAX_FINDINGS = 10

/**
 * Returns the first ten hidden characters of a string, in order. Doesn't report characters that legitimate text needs:
 * - emoji sequences and the flags of England, Scotland and Wales (UTS #51);
 * - joiners within Arabic, Indic and related words (UAX #31);
 * - zero-width spaces between Thai, Lao, Khmer and Myanmar words;
 * - direction marks beside right-to-left letters (UTS #55);
 * - one variation selector after a Han ideograph or a Mongolian letter;
 * - the Braille pattern without dots beside another pattern, and format controls beside Egyptian hieroglyphs;
 * - a single no-break space or other space, as French has before punctuation and in numbers.
 */
export function findHiddenCharacters(text: string): readonly HiddenCharacter[] {
  const found: HiddenCharacter[] = []
  const suspect = suspectPattern()
  for (let match = suspect.exec(text); match !== null; match = suspect.exec(text)) {
    const [character] = match
    if (isNeededAt(match.index, character, text)) continue
    found.push({ codePoint: codePointOf(character), index: match.index, kind: kindOf(character) })
    if (found.length === MAX_FINDINGS) break
  }
  return found
}

/** Replaces each hidden character with its code point as visible text. */
export function revealHiddenCharacters(text: string): string {
  return text.replace(suspectPattern(), (character, index: number) =>
    isNeededAt(index, character, text) ? character : `<${codePointOf(character)}>`,
  )
}

/**
 * Returns a pattern that matches a whole flag, an unusual space in a row of spaces, or a single other character. It's created when needed,
 * because building its character classes would slow down the import.
 */
function suspectPattern(): RegExp {
  return /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}|[^\P{Zs} \u3000](?<=[^\P{Zs} ] *.)|(?![\t\n\r])[\p{DI}\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFF9-\uFFFB\u2800\u{13430}-\u{1343F}\u{1D159}]/gu
}

function isNeededAt(index: number, character: string, text: string): boolean {
  if (character.length > 2) return true // A flag.
  const end = index + character.length
  return isNeeded(character, text.slice(Math.max(0, index - MAX_CONTEXT), index), text.slice(end, end + MAX_CONTEXT))
}

function kindOf(character: string): HiddenCharacterKind {
  if (/\p{Bidi_Control}/u.test(character)) return 'bidi'
  if (/[\u{E0000}-\u{E007F}]/u.test(character)) return 'tag'
  if (/\p{Variation_Selector}/u.test(character)) return 'variation_selector'
  if (/\p{Cc}/u.test(character)) return 'control'
  if (/\p{Co}/u.test(character)) return 'private_use'
  if (/[\u2028\u2029]/.test(character)) return 'separator'
  return ZERO_WIDTH.has(character) ? 'zero_width' : 'invisible'
}

const ZERO_WIDTH: ReadonlySet<string> = new Set(['\u00AD', '\u180E', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF'])

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`
}
