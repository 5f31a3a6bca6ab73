/** Formats amounts of money in results that name their currency. */
import type { Row } from './rows.ts'
import { wordsOfName } from './words/stem.ts'

/** Returns the currency that an object names in its field `currency`. */
export function currencyOf({ currency }: Row): string | undefined {
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined
}

/** Formats an amount as `$1,250.50`. Undefined if the field isn't an amount of money. */
export function amountText(field: string, value: unknown, currency: string | undefined): string | undefined {
  if (currency === undefined || typeof value !== 'number' || !AMOUNTS.has(wordsOfName(field).at(-1) ?? '')) return undefined
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(value)
}

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'available', 'balance', 'cost', 'fee', 'price', 'refund', 'total'])
