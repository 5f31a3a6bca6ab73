/** Decimal arithmetic without rounding errors. */

/**
 * True if a number is an exact multiple of the divisor. 19.99 is a multiple of 0.01, but 19.999 isn't. False for a divisor that isn't
 * positive.
 */
export function isMultipleOf(value: number, divisor: number, take: (steps: number) => void = () => {}): boolean {
  if (!Number.isFinite(value) || !(divisor > 0)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const scale = SCALES.find((each) => Number.isInteger(divisor * each) && (divisor * each) / each === divisor)
  const units = value * (scale ?? Number.NaN)
  take(STEPS_OF_A_DIVISION)
  // Numbers with so few digits are exact. A value with more decimal places than the divisor is never a multiple of it.
  if (Math.abs(units) < EXACT && divisor * (scale ?? 0) < EXACT) {
    const whole = Math.round(units)
    return whole / (scale ?? 1) === value && whole % Math.round(divisor * (scale ?? 1)) === 0
  }
  take(STEPS_OF_DIGITS)
  const one = decimalOf(value)
  const other = decimalOf(divisor)
  const exponent = Math.min(one.exponent, other.exponent)
  return scaled(one, exponent) % scaled(other, exponent) === 0n
}

/** Powers of ten that a double represents exactly. Divisors in schemas rarely need larger ones. */
const SCALES = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
const EXACT = 1e15
const STEPS_OF_A_DIVISION = 3
/** Steps counted for an exact calculation, which may involve about 600 digits. */
const STEPS_OF_DIGITS = 250

/** A number: `digits` times ten to the power of `exponent`. */
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
