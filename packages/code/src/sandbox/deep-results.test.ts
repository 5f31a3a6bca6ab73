/** Runs a program whose result is nested so deeply that writing it as text exhausts the stack. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { readLimits } from '../limits.ts'

const CODE = 'let list = []; for (let i = 0; i < 1e5; i++) list = [list]; return list'

/** A main thread has 1 MB of stack, a worker has 4 MB. The smaller one ends before the program's own limit. */
it.each([1, 4])('a deeply nested result is an error of the program in a thread with %s MB of stack', async (stackSizeMb) => {
  const worker = new Worker(
    `import(${JSON.stringify(new URL('./sandbox.js', import.meta.url).href)}).then(async ({ startProgram }) => {
      const { report } = await startProgram(${JSON.stringify(CODE)}, ${JSON.stringify({ limits: readLimits({ timeMs: 60_000 }), now: 0, seed: 1 })})
      require('node:worker_threads').parentPort.postMessage(JSON.parse(report).end)
    })`,
    { eval: true, execArgv: [], resourceLimits: { stackSizeMb } },
  )
  const [end] = await once(worker, 'message')
  await worker.terminate()
  expect(end).toMatchObject({ cause: 'thrown', message: expect.stringContaining('Maximum call stack size exceeded') })
})
