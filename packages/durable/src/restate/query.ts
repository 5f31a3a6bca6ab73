/** Queries on the server's tables. */

/** Returns the rows of an SQL query. */
export type Query = (sql: string, signal?: AbortSignal) => Promise<readonly object[]>

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
