/** PostgreSQL's text form of values, to and from JavaScript, without losing a digit. */
import { databaseError } from './database-error.ts'
import type { SqlValue } from './sql-client.ts'

const BOOLEAN = 16
const BYTES = 17
const BIG_INTEGER = 20
/** Two and four bytes wide, numbers of objects, and the two kinds of floating point. */
const NUMBERS: ReadonlySet<number> = new Set([21, 23, 26, 700, 701])

/** Decimals, times, JSON, arrays and whatever else stay the text that the server sends. */
export function toSqlValue(text: string | null, type: number): SqlValue {
  if (text === null) return null
  if (type === BOOLEAN) return text === 't'
  if (type === BYTES && text.startsWith('\\x')) return Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
  if (type === BIG_INTEGER) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
  if (NUMBERS.has(type) && Number.isFinite(Number(text))) return Number(text)
  return text
}

export function toPostgresText(value: SqlValue): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  const text = String(value)
  if (text.includes('\0'))
    throw databaseError('sql_error', 'A text among the params holds the character NUL, which cannot be kept.')
  return text
}

/**
 * The last word of `INSERT 0 3`, which counts the last batch alone where rows are returned; 0 for a statement that counts nothing.
 * Undefined for a `SELECT`, which counts what it read, and may have changed rows in a `WITH`.
 */
export function changesOf(command: string, returned: number): number | undefined {
  if (command === '' || command.startsWith('SELECT')) return undefined
  const count = Number(command.slice(command.lastIndexOf(' ') + 1))
  return Number.isInteger(count) ? Math.max(count, returned) : 0
}
