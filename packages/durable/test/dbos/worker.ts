/** A DBOS worker process of the contract suite whose runs are those of an agent. */
import { runContractWorker } from '../../src/contract/worker.ts'
import { createDbosEngine } from '../../src/dbos/dbos-engine.ts'
import { agentFunctions } from '../agents.ts'

const [settings = '', databaseUrl = ''] = process.argv.slice(2)

await runContractWorker(settings, {
  open: (name, fn) => createDbosEngine({ name, databaseUrl, fn, sweepMs: 500, leaseMs: 30_000 }),
  functions: agentFunctions,
})
