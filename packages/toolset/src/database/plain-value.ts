/** Converts database values to JSON values for a model. */
import type { SqlResult, SqlValue } from './sql-client.ts'

export type PlainValue = string | number | boolean | null

export interface PlainRows {
  columns: readonly string[]
  /** The values of each row, in column order. */
  rows: readonly (readonly PlainValue[])[]
  /** True if there are more rows than these. */
  truncated: boolean
}

export function toPlainRows({ columns, rows, truncated }: SqlResult): PlainRows {
  return { columns, rows: rows.map((row) => row.map(toPlainValue)), truncated }
}

/** Converts a value. A number that JSON would round becomes text, and bytes become a description. */
function toPlainValue(value: SqlValue): PlainValue {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `<${value.byteLength} bytes>`
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
