/** Runs on DBOS, in the PostgreSQL database that DATABASE_URL names. */
import { createDbosEngine } from '@x/durable/dbos'
import { UsageError } from '../arguments/usage-error.ts'
import type { EngineOpener } from './engine-opener.ts'

/** Of what the demo's runs do: raised when they ask for other steps. */
const VERSION = '1'

export const dbosOpener: EngineOpener = {
  async open({ fn, environment: { DATABASE_URL: databaseUrl } }) {
    if (!databaseUrl)
      throw new UsageError(
        'DBOS keeps its runs in PostgreSQL: set DATABASE_URL, e.g. to postgres://user:password@localhost:5432/demo, or use --durable file.',
      )
    return await createDbosEngine({ name: 'x-demo', databaseUrl, fn, version: VERSION })
  },
  wayOut: 'Start PostgreSQL, and look whether DATABASE_URL is right; or use --durable file.',
}
