/** Decides whether the text around an invisible character needs it. */

/** Number of UTF-16 code units to inspect on each side, enough for three characters. */
export const MAX_CONTEXT = 6

/**
 * True for an invisible character that the text around it needs: a variation selector after a character that it can vary, a joiner in an
 * emoji or in a word of a script with joiners, a zero-width space between words of a script without spaces, or a direction mark beside
 * right-to-left letters. Also true for a space between words in Braille, and for a control beside a hieroglyph. A repeated character is
 * never needed.
 */
export function isNeeded(character: string, before: string, after: string): boolean {
  switch (character) {
    case '\uFE0E':
    case '\uFE0F':
      return /\p{Extended_Pictographic}$/u.test(before) || (/[0-9#*]$/.test(before) && after.startsWith('\u20E3'))
    case '\u200D':
      return joinsEmoji(before, after) || isIndic(lastOf(before)) || isCursive(lastOf(before))
    case '\u200C':
      return [isIndic, isCursive].some((isWritten) => isWritten(lastOf(before)) && isWritten(firstOf(after)))
    case '\u200B':
      return isUnspaced(lastOf(before)) && isUnspaced(firstOf(after))
    case '\u200E':
    case '\u200F':
    case '\u061C':
      return isNearRightToLeft(before, after)
    case '\u2800':
      return /[\u2801-\u28FF]$/.test(before) || /^[\u2801-\u28FF]/.test(after)
    default:
      return varies(character, lastOf(before)) || joinsHieroglyphs(character, before, after)
  }
}

function joinsEmoji(before: string, after: string): boolean {
  return /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?$/u.test(before) && /^\p{Extended_Pictographic}/u.test(after)
}

/** True for a visible letter or mark of a script in which joiners form conjuncts. A joiner may also end a word. */
function isIndic(character: string): boolean {
  return /(?=[\p{L}\p{M}])(?!\p{DI})[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}]/u.test(
    character,
  )
}

/** True for a visible letter or mark of a cursive script. */
function isCursive(character: string): boolean {
  return /(?=[\p{L}\p{M}])(?!\p{DI})[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Mong}\p{scx=Adlm}\p{scx=Rohg}]/u.test(
    character,
  )
}

/** True for a letter or mark of a script that has no spaces between words. */
function isUnspaced(character: string): boolean {
  return /(?=[\p{L}\p{M}])(?!\p{DI})[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(character)
}

/** True if a direction mark is near a right-to-left letter. At most two punctuation marks or spaces may be between them. */
function isNearRightToLeft(before: string, after: string): boolean {
  const sides = [lastOf(before.replace(/[\p{P}\p{S}\p{Zs}]{1,2}$/u, '')), firstOf(after.replace(/^[\p{P}\p{S}\p{Zs}]{1,2}/u, ''))]
  return sides.some(isRightToLeft)
}

function isRightToLeft(character: string): boolean {
  return /(?=[\p{L}\p{M}])(?!\p{DI})[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}]/u.test(
    character,
  )
}

function varies(selector: string, varied: string): boolean {
  if (/[\u180B-\u180F]/.test(selector)) return /(?=\p{L})\p{Script=Mongolian}/u.test(varied)
  return /[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u.test(selector) && /\p{Script=Han}/u.test(varied)
}

/** True for a format control that arranges the hieroglyphs beside it. */
function joinsHieroglyphs(character: string, before: string, after: string): boolean {
  return /[\u{13430}-\u{1343F}]/u.test(character) && [lastOf(before), firstOf(after)].some(isHieroglyph)
}

function isHieroglyph(character: string): boolean {
  return /[\u{13000}-\u{1342F}]/u.test(character)
}

function lastOf(text: string): string {
  return [...text].at(-1) ?? ''
}

function firstOf(text: string): string {
  return [...text][0] ?? ''
}
