/** An agent with durable runs. */
import { defineSignature } from '@x/adapters'
import { createFileEngine, type DurableRun } from '@x/durable'
import { scriptedLM } from '@x/lm/testing'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

const order = defineTool({
  name: 'order',
  description: 'Orders.',
  effect: 'write',
  args: Type.Object({ thing: Type.String(), count: Type.Optional(Type.Integer()) }),
  execute: ({ thing, count }, { idempotencyKey }) => `${thing} ${count} ${idempotencyKey}`,
})
const buyer = await createReactAgent({
  lm: scriptedLM([{ text: 'Done.' }]),
  tools: [order],
  signature: defineSignature({ instructions: 'Buy.', inputs: { request: Type.String() }, outputs: { answer: Type.String() } }),
})
const engine = await createFileEngine({
  folder: 'runs',
  fn: async (input: { request: string }, run: DurableRun) => (await buyer.run(input, run)).outputs,
})
await engine.start('one', { request: 'Tea.' })
await engine.signal('one', 'approval-1', { type: 'approve' })
export const answer: string = (await engine.result('one')).answer
export const waiting = (await engine.list({ state: 'waiting' })).map(({ id }) => id)
