import { afterAll, beforeAll, describe } from 'vitest'
import { itKeepsContract } from '../test-contract.ts'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '../test-postgres.ts'
import { bundleProgram, type TestProgram } from '../test-program.ts'
import { createDbosEngine } from './dbos-engine.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres
let program: TestProgram

describe.skipIf(POSTGRES_MISSING !== '')(`contract of engines: DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    program = await bundleProgram('dbos/test-worker.ts')
  }, 60_000)
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  itKeepsContract({
    open: (name, fn) => createDbosEngine({ name, databaseUrl: postgres.url, fn }),
    startWorker: (settings) => program.start(settings, postgres.url),
    restartServer: async () => {
      await postgres.kill()
      await postgres.start()
    },
    stalled: 'taken over',
  })
})
