/** If the names of the agent's tools are known, the name of a call narrows its type in events and trajectories. */
import { defineSignature, type LM } from '@x/adapters'
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type Tool, type ToolResolver } from '@x/tool-core'
import { MemoryToolset } from '@x/toolset/memory'
import { Type } from 'typebox'
import type { ReactAgent } from './create-agent.ts'
import type { AgentEvent } from './events.ts'
import type { Trajectory } from './loop/result.ts'
import { createReactAgent } from './react-agent.ts'
import { redactedEvents } from './redacted/redacted-events.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM
const signature = defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } })

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer()) }),
  execute: ({ city }) => ({ city, at: new Date(), degrees: 21 as number | undefined }),
})
const look = defineTool({ name: 'look', description: 'Looks.', args: Type.Object({}), execute: () => {} })
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  args: Type.Object({ amount: Type.Number() }),
  execute: ({ amount }): readonly [number, string] => [amount, 'EUR'],
})

const agent = await createReactAgent({ lm, tools: [getWeather, look], signature })
const run = agent.run({ question: '?' })

for await (const event of run.stream()) {
  if (event.type === 'call_finished') {
    // @ts-expect-error a failed call has no output
    event.output
    // @ts-expect-error no tool of the agent has this name
    event.name === 'get_wether'
    if (!event.ok) expectType<Equal<typeof event.error.message, string>>()
    if (event.ok && event.name === 'get_weather') {
      expectType<Equal<typeof event.args, { city: string; days?: number }>>()
      // A `Date` is a string in JSON.
      expectType<Equal<typeof event.output, { city: string; at: string; degrees: number | undefined }>>()
      // @ts-expect-error the output is JSON
      event.output.at.getTime()
      // @ts-expect-error the tool takes no such argument
      event.args.town
    }
    if (event.ok && event.name === 'look') expectType<Equal<typeof event.output, null>>()
    // Covers the agent's own tools, and names that aren't known.
    if (event.ok && event.name === 'submit') expectType<Equal<typeof event.output, unknown>>()
    const name: string = event.name
    void name
  }
  if (event.type === 'call_started') {
    const { call } = event
    // @ts-expect-error no tool of the agent has this name
    call.name === 'get_wether'
    if (call.name === 'get_weather') {
      // The arguments aren't validated yet.
      expectType<Equal<typeof call.args, { readonly city?: unknown; readonly days?: unknown }>>()
      // @ts-expect-error the tool takes no such argument
      call.args.town
    }
  }
  if (event.type === 'finished') expectType<Equal<typeof event.result.outputs.answer, string>>()
}

const { trajectory } = await run
for (const message of trajectory.messages) {
  if (message.role === 'tool' && message.name === 'get_weather') expectType<Equal<typeof message.name, 'get_weather'>>()
  // @ts-expect-error no tool of the agent has this name
  if (message.role === 'tool') message.name === 'get_wether'
  // @ts-expect-error no tool of the agent has this name
  if (message.role === 'assistant') message.toolCalls?.some(({ name }) => name === 'get_wether')
}
await agent.run({ question: '?' }, { history: trajectory })

// Covers a registry, a toolset, a lazy tool, and tools that a search reveals.
const registry = createRegistry([getWeather, lazy('pay', async () => pay)])
const found = createRegistry([lazy('look', async () => look, { description: 'Looks.' })])
const ofRegistry = await createReactAgent({ lm, tools: registry, search: found, signature })
for await (const event of ofRegistry.run({ question: '?' }).stream()) {
  if (event.type !== 'call_finished' || !event.ok) continue
  if (event.name === 'pay') expectType<Equal<typeof event.output, readonly [number, string]>>()
  if (event.name === 'look') expectType<Equal<typeof event.output, null>>()
  // @ts-expect-error no tool has this name
  event.name === 'memory_lst'
}
const ofSources = await createReactAgent({ lm, tools: [new MemoryToolset(), registry.tool('pay')], signature })
for await (const event of ofSources.run({ question: '?' }).stream()) {
  if (event.type !== 'call_finished' || !event.ok) continue
  if (event.name === 'pay') expectType<Equal<typeof event.args, { amount: number }>>()
  if (event.name === 'memory_list') expectType<Equal<typeof event.output, string[]>>()
  // @ts-expect-error no tool has this name
  event.name === 'memory_lst'
}

// Tools without known names accept any name and any arguments.
declare const plugins: readonly Tool[]
declare const resolver: ToolResolver
const untyped = [
  await createReactAgent({ lm, tools: plugins, signature }),
  await createReactAgent({ lm, tools: [getWeather, ...plugins], signature }),
  await createReactAgent({ lm, tools: resolver, signature }),
] as const
expectType<Equal<(typeof untyped)[number], ReactAgent<typeof signature>>>()
for await (const event of untyped[0].run({ question: '?' }).stream()) {
  if (event.type === 'call_started') expectType<Equal<typeof event.call.args, Readonly<Record<string, unknown>>>>()
  if (event.type === 'call_finished' && event.ok && event.name === 'anything') expectType<Equal<typeof event.output, unknown>>()
}

// A typed agent is an agent, and its events and trajectories are events and trajectories.
const plain: ReactAgent<typeof signature> = ofRegistry
const events: AsyncIterable<AgentEvent> = run.stream()
const messages: Trajectory = trajectory
void [plain, events, messages, redactedEvents(run.stream(), { show: [getWeather] })]
// @ts-expect-error an agent with other tools
const another: typeof agent = ofRegistry
void another
for await (const event of redactedEvents(run.stream())) {
  // @ts-expect-error no reasoning
  if (event.type === 'model_finished') event.response
  // @ts-expect-error redacted events contain no messages of the model
  event.type === 'assistant_message'
}
