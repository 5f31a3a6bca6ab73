/** A session's database: opened at first use, with the tables of each domain prepared once. */
import type { DatabasePlace } from './place.ts'
import type { SqlClient } from './sql-client.ts'
import { prepareTables, type TableSet } from './table-sets.ts'

/** Opens the database and creates these tables, if needed. Rejects if the database can't be used; call it again to retry. */
export type Connect = (tables: TableSet) => Promise<SqlClient>

export interface Database {
  readonly place: DatabasePlace
  /** Connects to the database. Rejects with `SqlError`. */
  readonly connect: Connect
  /** Opens the database without creating tables. Rejects with `SqlError`. */
  open(): Promise<void>
  /** True while the database is open. */
  isOpen(): boolean
  /** Closes the database. `connect` opens it again. */
  close(): Promise<void>
}

export function createDatabase(place: DatabasePlace): Database {
  let isOpen = false
  const opened = new Map<DatabasePlace | string, Promise<unknown>>()
  /** Calls `work` once per key. Failures aren't cached. */
  const once = <Result>(key: DatabasePlace | string, work: () => Promise<Result>): Promise<Result> => {
    const known = opened.get(key) as Promise<Result> | undefined
    if (known !== undefined) return known
    const started = work()
    opened.set(key, started)
    started.catch(() => opened.delete(key))
    return started
  }
  const open = async () => {
    const client = await openClient(place)
    isOpen = true
    return client
  }
  return {
    place,
    isOpen: () => isOpen,
    async open() {
      await once(place, open)
    },
    async connect(tables) {
      const client = await once(place, open)
      await once(tables.name, () => prepareTables(client, tables))
      return client
    },
    async close() {
      const client = opened.get(place) as Promise<SqlClient> | undefined
      opened.clear()
      isOpen = false
      await (await client?.catch(() => undefined))?.close()
    },
  }
}

/** Opens the client. Imports a driver only when it is needed. */
async function openClient(place: DatabasePlace): Promise<SqlClient> {
  if (place.kind === 'postgres') return (await import('./postgres-client.ts')).openPostgres(place)
  return (await import('./sqlite-database.ts')).openSqliteDatabase(place)
}
