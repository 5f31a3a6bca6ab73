/** A file worker process of the contract suite whose runs are those of an agent. */
import { join } from 'node:path'
import { runContractWorker } from '../../src/contract/worker.ts'
import { createFileEngine } from '../../src/file/file-engine.ts'
import { agentFunctions } from '../agents.ts'

const [settings = '', root = ''] = process.argv.slice(2)

await runContractWorker(settings, {
  open: (store, fn) => createFileEngine({ folder: join(root, store), fn, lookEveryMs: 100 }),
  functions: agentFunctions,
})
