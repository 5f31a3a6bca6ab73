import { cp } from 'node:fs/promises'
import { library } from '../../tsup.shared.ts'

/** The worker and the modules that it imports. They are plain JavaScript, so that Node 20 starts them from source as well. */
const WORKER = ['worker.js', 'sandbox.js', 'engine.js', 'prelude.js', 'read-program.js']

export default library({
  onSuccess: async () => {
    await Promise.all(WORKER.map((file) => cp(`src/sandbox/${file}`, `dist/sandbox/${file}`)))
  },
})
