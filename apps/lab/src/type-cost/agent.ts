/** An agent with tools, a searchable registry, approvals and events. */
import { defineSignature } from '@x/adapters'
import { openai } from '@x/lm/presets'
import { createReactAgent } from '@x/react-agent'
import { createRegistry, lazy } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

const pay = defineTool({
  name: 'pay',
  description: 'Pays a bill.',
  effect: 'write',
  needsApproval: true,
  args: Type.Object({ payee: Type.String(), amount: Type.Number() }),
  execute: ({ payee, amount }) => ({ payee, amount }),
})
const look = defineTool({ name: 'look', description: 'Looks.', effect: 'read', args: Type.Object({}), execute: () => 'seen' })
const convert = defineTool({
  name: 'convert',
  description: 'Converts.',
  args: Type.Object({ amount: Type.Number() }),
  execute: ({ amount }) => amount * 2,
})
const more = createRegistry([lazy('convert', async () => convert, { description: 'Converts' })])

const agent = await createReactAgent({
  lm: openai({ model: 'any', apiKey: 'none' }),
  tools: [pay, look],
  search: more,
  signature: defineSignature({
    instructions: 'Pay.',
    inputs: { request: Type.String(), limit: Type.Optional(Type.Number()) },
    outputs: { answer: Type.String(), paid: Type.Array(Type.Object({ payee: Type.String(), amount: Type.Number() })) },
  }),
})
const run = agent.run({ request: 'Pay.' })
for await (const event of run.stream()) if (event.type === 'call_started') console.log(event.call.name)
export const payee: string | undefined = (await run).outputs.paid[0]?.payee
