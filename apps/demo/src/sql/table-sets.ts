/** Records in the database which table sets it contains, so that each set is created and filled exactly once. */
import { type SqlClient, SqlError, type SqlExecutor } from './sql-client.ts'

/** The tables of one domain and their initial rows. Statements must work the same on SQLite and PostgreSQL. */
export interface TableSet {
  /** Name of the table set, unique among the domains. */
  readonly name: string
  /** Version of the tables. Increment it with every change to them. */
  readonly version: number
  readonly statements: readonly string[]
  fill(executor: SqlExecutor): Promise<void>
}

/** Creates the table that records the table sets. Executed when a database is opened. */
export const TABLE_SETS = 'CREATE TABLE IF NOT EXISTS table_sets (name TEXT PRIMARY KEY, version INTEGER NOT NULL)'

const BEING_MADE = 0

/**
 * Creates and fills the tables if the database doesn't contain them. Rejects with `cannot_open` if it contains another version of them,
 * and changes nothing then.
 */
export function prepareTables(client: SqlClient, { name, version, statements, fill }: TableSet): Promise<void> {
  return client.transaction(async (executor) => {
    // The statement locks the row. If two processes create the tables at the same time, one of them waits.
    const [found] = await executor.query<{ version: number }>(
      `INSERT INTO table_sets (name, version) VALUES ($1, ${BEING_MADE})
       ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING version`,
      [name],
    )
    if (found?.version === version) return
    if (found?.version !== BEING_MADE)
      throw new SqlError(
        'cannot_open',
        `The database has version ${found?.version} of "${name}", and this demo needs version ${version}.`,
      )
    for (const statement of statements) await executor.query(statement)
    await fill(executor)
    await executor.query('UPDATE table_sets SET version = $1 WHERE name = $2', [version, name])
  })
}
