/** Converts values between JavaScript and PostgreSQL's text format without losing any digits. */
import { databaseError } from '../database-error.ts'
import type { SqlValue } from '../sql-client.ts'

const BOOLEAN = 16
const BYTES = 17
const BIG_INTEGER = 20
/** Object ids of the types int2, int4, oid, float4 and float8. */
const NUMBERS: ReadonlySet<number> = new Set([21, 23, 26, 700, 701])

/** Converts a value. Decimals, times, JSON, arrays and values of all other types stay as the text that the server sent. */
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
    throw databaseError('sql_error', 'A string in params contains the character NUL, which cannot be stored.')
  return text
}

/**
 * Reads the number of changed rows from a command tag such as `INSERT 0 3`. If the statement returns rows, the tag counts only the last
 * batch, so `returned` may be larger. Returns 0 for a statement that changes no rows. Returns undefined for a `SELECT`, whose tag counts the
 * rows that were read while a `WITH` in it may have changed others, and for an `EXPLAIN` or a `TRUNCATE`, whose tag counts nothing.
 */
export function changesOf(command: string, returned: number): number | undefined {
  if (command === '' || /^(?:SELECT|EXPLAIN|TRUNCATE)/.test(command)) return undefined
  const count = Number(command.slice(command.lastIndexOf(' ') + 1))
  return Number.isInteger(count) ? Math.max(count, returned) : 0
}
