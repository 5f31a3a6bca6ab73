/** How the tables of the server are asked. */

/** Gives the rows of a query in SQL. */
export type Query = (sql: string, signal?: AbortSignal) => Promise<readonly object[]>

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
