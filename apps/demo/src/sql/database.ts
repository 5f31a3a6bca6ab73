/** The one database of a session: opened when it is first asked for, the tables of each domain prepared once. */
import type { DatabasePlace } from './place.ts'
import type { SqlClient } from './sql-client.ts'
import { prepareTables, type TableSet } from './table-sets.ts'

/** Opens the database and makes these tables, if that has not been done. Rejects when it cannot be used; may be tried again. */
export type Connect = (tables: TableSet) => Promise<SqlClient>

export interface Database {
  readonly place: DatabasePlace
  /** Rejects with `SqlError`. */
  readonly connect: Connect
  /** Opens it before any tables are asked for. Rejects with `SqlError`. */
  open(): Promise<void>
  /** True while it is open. */
  isOpen(): boolean
  /** Closes what was opened; `connect` opens it again. */
  close(): Promise<void>
}

export function createDatabase(place: DatabasePlace): Database {
  let isOpen = false
  const opened = new Map<DatabasePlace | string, Promise<unknown>>()
  /** Once for each key; a failure is not remembered. */
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

/** Each driver is imported when it is needed. */
async function openClient(place: DatabasePlace): Promise<SqlClient> {
  if (place.kind === 'postgres') return (await import('./postgres-client.ts')).openPostgres(place)
  return (await import('./sqlite-database.ts')).openSqliteDatabase(place)
}
