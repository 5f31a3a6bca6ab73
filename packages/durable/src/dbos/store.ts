/** Access to the database: DBOS's client, and a pool for queries that the client doesn't support. */
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'
import { Connections } from './connections.ts'
import { migrate } from './migrate.ts'
import type { Names } from './names.ts'
import type { Settings } from './options.ts'
import { type Packages, SILENT } from './packages.ts'
import { assertTables } from './tables.ts'

const CONNECTIONS = 8
/** Number of looks for an answer before a query fails. Between two looks, this process has read what had arrived. */
const LOOKS = 10

export interface Store {
  readonly client: DBOSClient
  readonly pool: Pg.Pool
  readonly connections: Connections
  /** Executes a query. Rejects with `engine_failed` if there is no answer in time; DBOS's client alone would retry forever. */
  ask<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Creates DBOS's tables if they don't exist. Rejects with `engine_failed`. */
export async function openStore({ sdk, pg }: Packages, names: Names, settings: Settings): Promise<Store> {
  const { leaseMs, report } = settings
  const withTimeout = withTransactionTimeout(settings)
  const connections = new Connections({ pg, databaseUrl: withTimeout, leaseMs, report })
  const pool = connections.newPool(CONNECTIONS)
  try {
    await migrate(pool, () => sdk.DBOS.migrate(withTimeout), { leaseMs })
    await assertTables(pool)
    const client = await sdk.DBOSClient.create({
      systemDatabaseUrl: withTimeout,
      systemDatabasePool: pool,
      applicationName: names.application,
      logger: SILENT,
    })
    return {
      client,
      pool,
      connections,
      ask: newAsk(leaseMs),
      async close() {
        connections.cutSoon()
        await client.destroy()
        await connections.close()
      },
    }
  } catch (cause) {
    await connections.close()
    throw cause instanceof DurableError ? cause : engineFailed('The database could not be opened', cause)
  }
}

/**
 * Adds a limit to the database URL that ends the transactions of a suspended process. They would otherwise keep rows locked that
 * other workers need.
 */
function withTransactionTimeout({ databaseUrl, leaseMs }: Settings): string {
  const url = new URL(databaseUrl)
  const options = url.searchParams.get('options') ?? ''
  if (!options.includes('idle_in_transaction_session_timeout')) {
    url.searchParams.set('options', `${options} -c idle_in_transaction_session_timeout=${Math.ceil(leaseMs)}`.trim())
  }
  return url.href
}

/**
 * Returns a function that executes queries. It rejects with `engine_failed` on errors, and if no query has been answered for
 * `patienceMs`. Time in which this process didn't run doesn't count.
 */
export function newAsk(patienceMs: number): Store['ask'] {
  let answers = 0
  return async (work) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      let seen = answers
      let looks = 0
      const look = () => {
        // With many concurrent queries, one may be answered late although the server responds.
        looks = seen === answers ? looks + 1 : 0
        seen = answers
        if (looks === LOOKS) reject(new Error(`no answer within ${patienceMs} ms`))
      }
      timer = setInterval(look, patienceMs / LOOKS)
    })
    try {
      const answer = await Promise.race([work(), late])
      answers++
      return answer
    } catch (cause) {
      if (cause instanceof DurableError) throw cause
      throw engineFailed('A DBOS or database query failed', cause)
    } finally {
      clearInterval(timer)
    }
  }
}

function engineFailed(words: string, cause: unknown): DurableError {
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(cause)
  return new DurableError('engine_failed', `${words}: ${message}`, { cause })
}
