/** Builds a SELECT from a model's arguments. Names come from the catalogue, and values become parameters. */
import { findColumn, type KnownTable, quoteName, type TableDescription } from './catalogue.ts'
import { databaseError } from './database-error.ts'
import type { SqlDialect, SqlValue } from './sql-client.ts'

export const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like', 'in', 'is null', 'is not null'] as const

export type ScalarValue = string | number | boolean | null

export interface Condition {
  readonly column: string
  readonly operator?: (typeof OPERATORS)[number] | undefined
  readonly value?: ScalarValue | readonly ScalarValue[] | undefined
}

export interface Selection {
  readonly columns?: readonly string[] | null | undefined
  readonly where?: readonly Condition[] | null | undefined
  readonly orderBy?: readonly { readonly column: string; readonly descending?: boolean | undefined }[] | null | undefined
  readonly limit: number
  readonly offset?: number | null | undefined
}

export interface SelectSource {
  readonly dialect: SqlDialect
  readonly table: KnownTable
  readonly description: TableDescription
}

/** Returns the statement. Throws `unknown_identifier` for an unknown column. */
export function toSelect(
  { dialect, table, description }: SelectSource,
  selection: Selection,
): { sql: string; params: readonly SqlValue[] } {
  const { columns, where, orderBy, limit, offset } = selection
  const params: SqlValue[] = []
  const column = (name: string) => quoteName([findColumn(description, name)])
  const bind = (value: ScalarValue) => {
    // For a boolean, PostgreSQL accepts 'true', but SQLite stores 1.
    params.push(dialect === 'sqlite' && typeof value === 'boolean' ? Number(value) : value)
    return `$${params.length}`
  }
  // Not `*`, because the user may not be allowed to read every column.
  const wanted = columns && columns.length > 0 ? columns : description.columns.map(({ name }) => name)
  const parts = [
    `SELECT ${wanted.map(column).join(', ')} FROM ${quoteName(table.parts)}`,
    where &&
      where.length > 0 &&
      `WHERE ${where.map((condition) => toCondition(column(condition.column), condition, bind)).join(' AND ')}`,
    orderBy &&
      orderBy.length > 0 &&
      `ORDER BY ${orderBy.map((key) => `${column(key.column)}${key.descending ? ' DESC' : ''}`).join(', ')}`,
    `LIMIT ${bind(limit)}`,
    offset && `OFFSET ${bind(offset)}`,
  ]
  return { sql: parts.filter(Boolean).join(' '), params }
}

function toCondition(column: string, { operator = '=', value }: Condition, bind: (value: ScalarValue) => string): string {
  if (operator === 'is null' || operator === 'is not null') return `${column} ${operator.toUpperCase()}`
  if (operator === 'in') {
    if (!isList(value) || value.length === 0) throw wrongValue(operator, 'a list with at least one value')
    return `${column} IN (${value.map(bind).join(', ')})`
  }
  if (value === undefined || isList(value)) throw wrongValue(operator, 'a single value')
  // In SQL, no value equals NULL, but a model that writes `= null` means `IS NULL`.
  if (value === null && (operator === '=' || operator === '!=')) return `${column} IS ${operator === '=' ? '' : 'NOT '}NULL`
  return `${column} ${operator.toUpperCase()} ${bind(value)}`
}

function isList(value: Condition['value']): value is readonly ScalarValue[] {
  return Array.isArray(value)
}

function wrongValue(operator: string, wanted: string): Error {
  return databaseError('sql_error', `The operator "${operator}" needs ${wanted}.`)
}
