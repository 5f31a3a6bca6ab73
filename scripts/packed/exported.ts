/**
 * Exports one value of each kind. It is compiled with `declaration`, which `tsc --init` sets, so all inferred types must have names that can be
 * imported.
 */
import { defineSignature, nativeAdapter, Tools, textAdapter } from '@x/adapters'
import { argumentStream, parseArguments, recoverJson } from '@x/adapters/arguments'
import { coerceText, declaredTypes, dialectFor, hermes, MarkerSet, rescueCalls } from '@x/adapters/dialects'
import { openaiChat, openaiChatRules, shapeSpec } from '@x/adapters/wire'
import { codeTool } from '@x/code'
import { createFileEngine, type DurableRun, fileJournal } from '@x/durable'
import { createLM, createMemoryStore, withCache, withFallback, withRetry } from '@x/lm'
import { openai } from '@x/lm/presets'
import { withRescue } from '@x/lm/rescue'
import { scriptedLM } from '@x/lm/testing'
import { mcp } from '@x/mcp'
import { readMcpConfig } from '@x/mcp/config'
import { serveMcp } from '@x/mcp/server'
import { traceLM, traceRun, withTelemetry } from '@x/otel'
import {
  agentTool,
  chainOfThought,
  clientTool,
  createReactAgent,
  evaluate,
  isAgentError,
  multiToolSelector,
  predict,
  redactedEvents,
} from '@x/react-agent'
import {
  createRegistry,
  createToolIndex,
  defineToolFactory,
  type FoundTools,
  fingerprintTools,
  fromGlob,
  fuseRanks,
  lazy,
  lazyToolset,
  searchTool,
  tool,
} from '@x/registry'
import { fromFolder } from '@x/registry/node'
import { mockRegistry } from '@x/registry/testing'
import {
  callTool,
  defineAction,
  defineTool,
  deriveTool,
  dispatch,
  jsonSchema,
  parallel,
  prepareCall,
  sequence,
  toSpec,
} from '@x/tool-core'
import {
  approvalRequired,
  combine,
  defineToolset,
  exposeMethods,
  filtered,
  method,
  prefixed,
  renamed,
  Toolset,
  withContext,
  wrapped,
} from '@x/toolset'
import { DatabaseToolset } from '@x/toolset/database'
import { FileSystemToolset } from '@x/toolset/filesystem'
import { MemoryToolset } from '@x/toolset/memory'
import { openPglite } from '@x/toolset/pglite'
import { openPostgres } from '@x/toolset/postgres'
import { openSqlite } from '@x/toolset/sqlite'
import * as Type from 'typebox'

// Tools and actions
export const weather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer({ default: 1 })) }),
  effect: 'read',
  execute: ({ city }) => ({ degrees: city.length }),
})
export const listed = defineTool({
  name: 'listed',
  description: 'Lists.',
  args: jsonSchema<{ query: string }>({ type: 'object', properties: { query: { type: 'string' } } }),
  context: Type.Object({ user: Type.String() }),
  nested: ['get_weather'],
  execute: async ({ query }, { values, call, ask }) => ({ query, values, call, ask }),
})
export const derived = deriveTool(weather, { name: 'other_weather' })
export const spec = toSpec(weather)
export const called = await callTool(weather, { id: '1', name: 'get_weather', args: { city: 'Oslo' } })
export const prepared = await prepareCall(weather, { id: '1', name: 'get_weather', args: { city: 'Oslo' } })
export const find = defineAction({
  name: 'find',
  description: 'Finds.',
  args: Type.Object({ name: Type.String() }),
  output: Type.Object({ userId: Type.String() }),
  execute: ({ name }) => ({ userId: name }),
})
export const pay = defineAction({
  name: 'pay',
  description: 'Pays.',
  args: Type.Object({ userId: Type.String() }),
  output: Type.Object({ receipt: Type.String() }),
  execute: ({ userId }) => ({ receipt: userId }),
})
export const inOrder = sequence('find_and_pay', find, pay)
export const atOnce = parallel('find_twice', { one: find, other: find })

// Toolsets
export class Notes extends Toolset {
  readonly name = 'notes'
  readonly add = method({
    description: 'Adds.',
    args: Type.Object({ text: Type.String() }),
    execute: ({ text }) => ({ length: text.length }),
  })
}
export const notes = new Notes()
export const addNote = notes.add
export const noteTools = notes.tools()
export const shop = defineToolset({ name: 'weather', description: 'Weather.', tools: [weather, listed] })
export const exposed = exposeMethods({ now: () => 1 }, 'clock', { now: { description: 'The time.', args: Type.Object({}) } })
export const memory = new MemoryToolset()
export const files = new FileSystemToolset({ root: '.' })
export const readFiles = new FileSystemToolset({ root: '.', readOnly: true })
export const database = new DatabaseToolset({ client: () => openSqlite({ file: ':memory:' }) })
export const writable = new DatabaseToolset({ client: () => openSqlite({ file: ':memory:' }), access: 'execute' })
export const { query, describe, select, tables } = database
export const { execute } = writable
export const stored = await memory.store({ key: 'a', value: 'b' })
export const clients = [openPglite, openPostgres, openSqlite]
export const guarded = approvalRequired(memory, ['memory_delete'])
export const combined = combine(memory, notes)
export const some = filtered(memory, ['memory_store'])
export const withPrefix = prefixed(memory, 'my')
export const withNames = renamed(memory, { memory_store: 'remember' })
export const bound = withContext(shop, { user: 'ann' })
export const timed = wrapped(memory, (next) => next)

// Registries
export const factory = defineToolFactory({
  name: 'search_web',
  options: Type.Object({ limit: Type.Integer() }),
  create: ({ limit }) =>
    defineTool({ name: 'search_web', description: 'Searches.', args: Type.Object({}), execute: () => limit }),
})
export const late = lazy('late', async () =>
  defineTool({ name: 'late', description: 'Late.', args: Type.Object({}), execute: () => 1 }),
)
export const lateNotes = lazyToolset('notes', async () => notes, ['notes_add'])
export const registry = createRegistry([weather, factory, late, lateNotes, memory, database])
export const resolved = await registry.resolve('get_weather', 'memory_*')
export const ran = await registry.execute('late', {})
export const dispatched = await dispatch(resolved, { id: '1', name: 'get_weather', args: { city: 'Oslo' } })
export const reference = tool(factory, { limit: 1 })
export const cards = registry.cards()
export const found = await registry.search('weather')
export const finder = searchTool(registry)
export const { withheld } = (await finder.execute({ query: 'weather' })) as FoundTools
export const fused = fuseRanks([['get_weather']])
export const index = createToolIndex(cards)
export const pinned = await fingerprintTools([weather])
export const folder = await fromFolder('tools')
export const globbed = fromGlob({})
export const mocked = mockRegistry({})

// Models
export const scripted = scriptedLM([{ text: 'Hello.' }])
export const model = withRetry(withCache(withFallback([scripted, openai({ model: 'm' })]), { store: createMemoryStore() }))
export const rescued = withRescue(createLM({ wire: openaiChat, baseURL: 'http://localhost', model: 'm' }))
export const shaped = shapeSpec(spec, openaiChatRules)
export const dialect = dialectFor('qwen3')
export const adapter = textAdapter(hermes)
export const calls = rescueCalls({ text: '', toolCalls: [] }, { tools: [spec] })
export const parsedArguments = parseArguments('{}')
export const recovered = recoverJson('{}')
export const coerced = coerceText('1', {})
export const declared = declaredTypes({}, {})
export const marker = new MarkerSet({ call: '<call>' }).find('', 0, true)
export const body = openaiChat.encode({ messages: [] }, 'm').body
export const stream = argumentStream({ schema: Type.Object({ city: Type.String() }) })

// Agents
export const signature = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String(), cities: Type.Array(Type.String()) },
})
export const short = defineSignature('question -> answer')
export const planning = defineSignature({
  instructions: '',
  inputs: { q: Type.String(), tools: Tools() },
  outputs: { a: Type.String() },
})
export const parsed = await nativeAdapter.parse(signature, { text: '', toolCalls: [] })
export const agent = await createReactAgent({ lm: model, tools: [weather, derived, memory, database, late], signature })
export const searching = await createReactAgent({ lm: model, tools: registry, search: registry, signature: short })
export const run = agent.run({ question: 'Warm?' })
export const result = await run
export const trajectory = result.trajectory
export const [firstMessage] = trajectory.messages
export const resultMessage = trajectory.messages.find((message) => message.role === 'tool')
export const events = run.stream()
export const redacted = redactedEvents(events)
export const started = await events.next()
export const event = started.value
export const startedCall = event.type === 'call_started' ? event.call : undefined
export const finishedCall = event.type === 'call_finished' && event.ok && event.name === 'get_weather' ? event : undefined
export const failed = await run.catch((error: unknown) => (isAgentError(error) ? error.paused : undefined))
export const pendingArguments = failed instanceof Object && 'pending' in failed ? failed.pending[0]?.args : undefined
export const outcomeData = failed instanceof Object && 'finished' in failed ? failed.finished[0]?.data : undefined
export const redactedEvent = (await redacted[Symbol.asyncIterator]().next()).value
export const inner = agentTool(agent, { name: 'ask_agent', description: 'Asks.' })
export const outer = await createReactAgent({
  lm: model,
  tools: [inner, clientTool({ name: 'c', description: 'C.', args: Type.Object({}) })],
  signature,
})
export const client = clientTool({ name: 'confirm', description: 'Confirms.', args: Type.Object({}) })
export const module = predict({ lm: model, signature })
export const prediction = await module.run({ question: 'Warm?' })
export const thinking = chainOfThought({ lm: model, signature })
export const selector = multiToolSelector({ lm: model, tools: registry })
export const decision = await selector('Weather.')
export const evaluation = await evaluate(module, [], () => 1)

// Telemetry, durable engines and MCP
export const traced = withTelemetry(agent)
export const tracedModel = traceLM(model)
export const tracedRun = traceRun(run)
export const journal = await fileJournal('run.jsonl')
export const engine = await createFileEngine({
  folder: 'runs',
  fn: async ({ question }: { question: string }, { steps, id }: DurableRun) =>
    (await agent.run({ question }, { steps, id })).outputs,
})
export const runs = await engine.list()
export const program = codeTool([weather])
export const server = mcp('shop', { command: 'node', args: ['server.mjs'] })
export const servers = await readMcpConfig('mcp.json')
export const served = serveMcp([weather], { name: 'shop', version: '1.0.0' })
