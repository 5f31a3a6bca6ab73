/** A worker process of the contract suite, on DBOS, whose runs are those of an agent. */
import { runContractWorker } from '../contract/worker.ts'
import { agentFunctions } from '../test-agents.ts'
import { createDbosEngine } from './dbos-engine.ts'

const [settings = '', databaseUrl = ''] = process.argv.slice(2)

await runContractWorker(settings, {
  open: (name, fn) => createDbosEngine({ name, databaseUrl, fn, sweepMs: 500 }),
  functions: agentFunctions,
})
