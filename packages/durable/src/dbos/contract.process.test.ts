import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import { itKeepsContract } from '../../test/contract.ts'
import { itSurvivesDeploys } from '../../test/deploys.ts'
import { itPaysInside } from '../../test/nested/nested-payments.ts'
import { bundleProgram, type TestProgram } from '../../test/program.ts'
import { CONTRACT_CONCURRENCY, type ContractHarness } from '../contract/harness.ts'
import { createDbosEngine } from './dbos-engine.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres
let program: TestProgram
let deaths = 0
/** A busy machine doesn't take that long for a query. */
const leaseMs = 60_000

describe.skipIf(POSTGRES_MISSING !== '')(`contract of engines: DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    program = await bundleProgram('dbos/worker.ts')
  })
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  const harness: ContractHarness = {
    open: (name, fn) => createDbosEngine({ name, databaseUrl: postgres.url, fn, leaseMs, concurrency: CONTRACT_CONCURRENCY }),
    openRetaining: (name, fn, retentionMs) => createDbosEngine({ name, databaseUrl: postgres.url, fn, leaseMs, retentionMs }),
    startWorker: (settings) => program.start(settings, postgres.url),
    restartServer: async (end) => {
      deaths++
      // PostgreSQL ends sessions differently in each of these modes.
      await postgres.end(end === 'stopped' ? 'fast' : deaths % 4 === 1 ? 'killed' : 'immediate')
      await postgres.start()
    },
    stalled: 'taken over',
  }
  itKeepsContract(harness)
  itPaysInside(harness)
  itSurvivesDeploys(harness)
})
