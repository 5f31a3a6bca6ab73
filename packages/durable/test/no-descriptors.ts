/** A worker that creates an agent and executes its run while its process has no free file descriptors. Prints the outputs of the run. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { createDbosEngine } from '../src/dbos/dbos-engine.ts'
import type { DurableRun } from '../src/engine/engine.ts'
import { createFileEngine } from '../src/file/file-engine.ts'

const lm: LM = {
  generate: async ({ messages }) => {
    const isFirst = messages.every(({ role }) => role !== 'assistant')
    return { text: isFirst ? '' : '4', toolCalls: isFirst ? [{ id: 'd1', name: 'double', arguments: '{"number":2}' }] : [] }
  },
}
// Its schema is evaluated by the interpreter.
const args = Type.Object({ number: Type.Number() }, { unevaluatedProperties: false })
const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  args,
  effect: 'write',
  execute: ({ number }) => 2 * number,
})
const day = Type.String({ format: 'date', pattern: '^(2|20|202)*.+$' })
const signature = defineSignature({ instructions: 'Double.', inputs: { day }, outputs: { answer: Type.String() } })
const fn = async (input: { day: string }, run: DurableRun) => {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync(devNull, 'r'))
  } catch {
    // Now there is no free descriptor.
  }
  try {
    await using agent = await createReactAgent({ lm, tools: [double], signature })
    const { outputs, unknownCalls } = await agent.run(input, run)
    return { ...outputs, unknown: unknownCalls.length }
  } finally {
    for (const descriptor of taken) closeSync(descriptor)
  }
}

const [engine, place = ''] = process.argv.slice(2)
await using worker = await (engine === 'files'
  ? createFileEngine({ folder: place, fn })
  : createDbosEngine({ name: 'descriptors', databaseUrl: place, fn, leaseMs: 60_000 }))
console.log(JSON.stringify(await worker.run('one', { day: '2026-11-29' })))
