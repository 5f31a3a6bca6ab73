/** Converts between dollars, in arguments and outputs, and whole cents, which make sums exact. */

/** The largest amount of one transaction, in dollars. */
export const MAX_AMOUNT = 1_000_000

/** Converts an amount to cents. Rejects an amount of 0 or less, above the maximum, or with more than two decimals. Never rounds. */
export function toCents(dollars: number): number {
  if (!(dollars > 0 && dollars <= MAX_AMOUNT))
    throw new Error(`The amount must be above 0 and at most ${MAX_AMOUNT} dollars; it is ${dollars}.`)
  // 89.99 * 100 is 8998.999999999998, but the rounded cents divided by 100 are exactly 89.99 again.
  const cents = Math.round(dollars * 100)
  if (cents / 100 !== dollars)
    throw new Error(`The amount ${dollars} has more than two decimals. Give it in dollars and whole cents, e.g. 12.35.`)
  return cents
}

/** Currency of all accounts. */
export const CURRENCY = 'USD'

export function toDollars(cents: number): number {
  return cents / 100
}

/** Formats an amount for a sentence: `$8,900.00`. */
export function formatCents(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY }).format(toDollars(cents))
}
