/** A worker process of the contract suite, on Restate, whose runs are those of an agent. */
import { runContractWorker } from '../contract/worker.ts'
import { agentFunctions } from '../test-agents.ts'
import { createRestateEngine } from './create-engine.ts'

const [settings = '', ingressUrl = '', adminUrl = '', uri = '', port = ''] = process.argv.slice(2)

await runContractWorker(settings, {
  open: (name, fn) => createRestateEngine({ name, ingressUrl, adminUrl, uri, port: Number(port), fn }),
  functions: agentFunctions,
})
