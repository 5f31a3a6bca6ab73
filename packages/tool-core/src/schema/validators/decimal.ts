/** Numbers as they are written: in decimals, without the error of a division. */

/** Exact for all that a number can say: 19.99 is a multiple of 0.01, 19.999 is not. False for a divisor that is not above zero. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !(divisor > 0)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const one = decimalOf(value)
  const other = decimalOf(divisor)
  const exponent = Math.min(one.exponent, other.exponent)
  return scaled(one, exponent) % scaled(other, exponent) === 0n
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function decimalOf(number: number): Decimal {
  const [coefficient = '', exponent = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = coefficient.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
