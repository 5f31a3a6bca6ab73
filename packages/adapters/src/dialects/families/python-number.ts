/** A Python number as JSON, with all of its digits. */

/** Undefined for what is no number, and for what JSON cannot say: infinity, a complex number. */
export function numberToJson(word: string): string | undefined {
  const isSigned = word.startsWith('-') || word.startsWith('+')
  const minus = word.startsWith('-') ? '-' : ''
  const digits = (isSigned ? word.slice(1) : word).replace(/(?<=[\da-f])_(?=[\da-f])/gi, '')
  if (/^0+$/.test(digits)) return `${minus}0`
  if (/^[1-9]\d*$/.test(digits)) return minus + digits
  if (/^0(?:x[\da-f]{1,999}|o[0-7]{1,999}|b[01]{1,999})$/i.test(digits)) return minus + BigInt(digits)
  const parts = /^(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i.exec(digits)
  if (parts === null || !Number.isFinite(Number(digits))) return undefined
  const [, whole = '', fraction, exponent = ''] = parts
  const isWhole = fraction === undefined && exponent === ''
  // A whole number that begins with a zero is none in Python either.
  if (isWhole || (whole === '' && !fraction)) return undefined
  const point = fraction === undefined ? '' : `.${fraction || '0'}`
  return `${minus}${whole.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`
}
