/** A whole text read as the number or JSON container that it spells. Never a part of it, and never another value. */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Any number with so few digits survives being a double, however large it is. */
const EXACT_DIGITS = 15

/** The number that a text spells as JSON would; `undefined` for another text, and where the number would be another one. */
export function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  const isLargeInteger = Number.isInteger(number) && !Number.isSafeInteger(number)
  // An id such as 9007199254740993 would become another, and 1e-999 zero.
  if (!isLargeInteger && number !== 0) return number
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return number === 0 ? (digits === '' ? number : undefined) : digits.length <= EXACT_DIGITS ? number : undefined
}

/** The list or object that a text spells; `undefined` for any other text. */
export function readContainer(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
