/** Durable runs in files: hand-written JSON lines, and our engine. */
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileEngine } from '@x/durable'
import { agentFunction, QUESTION } from './durable-agent.ts'
import { type LoopSteps, runLoop } from './durable-loop.ts'
import type { DurableSubject } from './durable-workload.ts'

/**
 * Writes one file per run. Each step result is a line, which is flushed to disk before the run continues. Recorded steps aren't executed
 * again.
 */
export const filesByHand: DurableSubject = {
  async open({ script, folder, timed }) {
    const pathOf = (id: string) => join(folder, `${id}.jsonl`)
    return {
      async run(id) {
        const { steps, close } = await openSteps(pathOf(id))
        return await timed(() => runLoop(script, steps)).finally(close)
      },
      recorded: (id) => readFile(pathOf(id), 'utf8'),
      close: async () => {},
    }
  },
}

async function openSteps(path: string): Promise<{ readonly steps: LoopSteps; close(): Promise<void> }> {
  const file = await open(path, 'a+')
  const lines = (await file.readFile('utf8')).split('\n').filter((line) => line !== '')
  const known = new Map(lines.map((line) => JSON.parse(line)).map(({ name, value }) => [name, value]))
  const steps: LoopSteps = {
    async step(name, execute) {
      if (known.has(name)) return known.get(name)
      const value = await execute()
      await file.appendFile(`${JSON.stringify({ name, value })}\n`)
      await file.datasync()
      return value
    },
    all: (promises) => Promise.all(promises),
  }
  return { steps, close: () => file.close() }
}

export const filesOwn: DurableSubject = {
  async open(work) {
    const { folder } = work
    const engine = await createFileEngine({ folder, fn: await agentFunction(work) })
    return {
      run: (id) => engine.run(id, QUESTION),
      async recorded(id) {
        const files = await readdir(folder, { recursive: true })
        const found = files.find((file) => file.includes(id) && !file.endsWith('.owner'))
        return found === undefined ? '' : await readFile(join(folder, found), 'utf8')
      },
      close: () => engine.close(),
    }
  },
}
