/** Runs on DBOS, in the PostgreSQL database of DATABASE_URL. */
import { createDbosEngine } from '@x/durable/dbos'
import { UsageError } from '../failure.ts'
import type { EngineOpener } from './engine.ts'

/** Version of the demo's runs. Increment it when their steps change. */
const VERSION = '1'

export const dbosOpener: EngineOpener = {
  async open({ fn, environment: { DATABASE_URL: databaseUrl } }) {
    if (!databaseUrl)
      throw new UsageError(
        'DBOS stores its runs in PostgreSQL. Set DATABASE_URL, e.g. postgres://user:password@localhost:5432/demo, or use --durable file.',
      )
    return await createDbosEngine({ name: 'x-demo', databaseUrl, fn, version: VERSION })
  },
  wayOut: 'Start PostgreSQL and check DATABASE_URL, or use --durable file.',
}
