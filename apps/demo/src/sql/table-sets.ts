/** Remembers in the database which sets of tables it holds, so that each is made and filled exactly once. */
import { type SqlClient, SqlError, type SqlExecutor } from './sql-client.ts'

/** The tables of one domain, and what they hold at first. Statements have to mean the same to SQLite and PostgreSQL. */
export interface TableSet {
  /** Unique among the domains. */
  readonly name: string
  /** Raised with every change of the tables. */
  readonly version: number
  readonly statements: readonly string[]
  fill(executor: SqlExecutor): Promise<void>
}

/** Made by whoever opens a database, before any set of tables. */
export const TABLE_SETS = 'CREATE TABLE IF NOT EXISTS table_sets (name TEXT PRIMARY KEY, version INTEGER NOT NULL)'

const BEING_MADE = 0

/** Rejects with `cannot_open`, and changes nothing, when the database holds these tables in another version. */
export function prepareTables(client: SqlClient, { name, version, statements, fill }: TableSet): Promise<void> {
  return client.transaction(async (executor) => {
    // Takes the row, so that of two processes one makes the tables and the other waits for it.
    const [found] = await executor.query<{ version: number }>(
      `INSERT INTO table_sets (name, version) VALUES ($1, ${BEING_MADE})
       ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING version`,
      [name],
    )
    if (found?.version === version) return
    if (found?.version !== BEING_MADE)
      throw new SqlError(
        'cannot_open',
        `The database holds version ${found?.version} of "${name}", and this demo reads version ${version}.`,
      )
    for (const statement of statements) await executor.query(statement)
    await fill(executor)
    await executor.query('UPDATE table_sets SET version = $1 WHERE name = $2', [version, name])
  })
}
