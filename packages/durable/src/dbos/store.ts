/** The connections of an engine: DBOS's client, and a few more for what that cannot say. */
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'
import { migrate } from './migrate.ts'
import type { Names } from './names.ts'
import type { Settings } from './options.ts'
import { type Packages, SILENT } from './packages.ts'

const CONNECTIONS = 4

export interface Store {
  readonly client: DBOSClient
  readonly pool: Pg.Pool
  close(): Promise<void>
}

/** Makes DBOS's tables where there are none. Rejects with `engine_failed`. */
export async function openStore({ sdk, pg }: Packages, names: Names, settings: Settings): Promise<Store> {
  const { databaseUrl } = settings
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  // Of a connection that nobody uses: the next query gets another one.
  pool.on('error', () => {})
  try {
    await migrate(pool, () => sdk.DBOS.migrate(databaseUrl))
    const client = await sdk.DBOSClient.create({
      systemDatabaseUrl: withTransactionTimeout(settings),
      systemDatabasePoolSize: CONNECTIONS,
      applicationName: names.application,
      logger: SILENT,
    })
    const close = async () => {
      await client.destroy()
      await pool.end()
    }
    return { client, pool, close }
  } catch (cause) {
    await pool.end()
    throw engineFailed('The database cannot be used', cause)
  }
}

/** The server ends the transactions of a process that was stopped, or rows of its runs would stay locked for those that take over. */
export function withTransactionTimeout({ databaseUrl, leaseMs }: Settings): string {
  const url = new URL(databaseUrl)
  const options = url.searchParams.get('options') ?? ''
  if (!options.includes('idle_in_transaction_session_timeout')) {
    url.searchParams.set('options', `${options} -c idle_in_transaction_session_timeout=${Math.ceil(leaseMs)}`.trim())
  }
  return url.href
}

export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof DurableError) throw cause
    throw engineFailed('DBOS or its database did not answer as it should', cause)
  }
}

function engineFailed(words: string, cause: unknown): DurableError {
  const said = cause instanceof Error && cause.message !== '' ? cause.message : String(cause)
  return new DurableError('engine_failed', `${words}: ${said}`, { cause })
}
