/** A Restate worker process of the contract suite whose runs are those of an agent. */
import { runContractWorker } from '../../src/contract/worker.ts'
import { createRestateEngine } from '../../src/restate/create-engine.ts'
import { agentFunctions } from '../agents.ts'

const [settings = '', ingressUrl = '', adminUrl = '', uri = '', port = ''] = process.argv.slice(2)

await runContractWorker(settings, {
  open: (name, fn) => createRestateEngine({ name, ingressUrl, adminUrl, uri, port: Number(port), fn }),
  functions: agentFunctions,
})
