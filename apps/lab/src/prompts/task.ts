/** A task of 30 steps that searches 1,000 lazy tools five times, pauses for an approval, and is resumed by another agent. */
import {
  type Adapter,
  defineSignature,
  type LM,
  type LMRequest,
  type LMResponse,
  nativeAdapter,
  type RawToolCall,
} from '@x/adapters'
import { AgentError, createReactAgent, type PausedRun } from '@x/react-agent'
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { find, type SearchingAPI, searchAndCall } from './provider-search.ts'

/**
 * How the model gets the tools: through `call_tool`, added after each search, through the provider's search, or all at once without a
 * search.
 */
export type Way = 'call_tool' | 'tools' | 'provider' | 'all'

export interface TaskOptions {
  readonly way: Way
  readonly adapter?: Adapter | undefined
  /** Number of tokens above which the oldest turns are left out. Default: no limit. */
  readonly maxTokens?: number | undefined
  /** The API whose provider searches. Used for the way `provider`. */
  readonly api?: SearchingAPI | undefined
}

const STEPS = 30
/** The steps in which the model searches. */
const SEARCHES: ReadonlyMap<number, string> = new Map([
  [1, 'archive invoice'],
  [6, 'translate contract'],
  [11, 'schedule meeting'],
  [18, 'compare shipment'],
  [24, 'publish report'],
])
/** The step in which the run pauses. */
const PAUSE = 15

const VERBS = 'archive translate schedule compare publish delete approve export import rename'.split(' ')
const NOUNS = 'invoice contract meeting shipment report order payment ticket account budget'.split(' ')
const PLACES = 'office warehouse website branch factory portal archive studio depot library'.split(' ')

/** Runs the task and returns every request as it was sent. */
export async function playTask(options: TaskOptions): Promise<readonly LMRequest[]> {
  const requests: LMRequest[] = []
  const open = () => createAgent(createModel(requests, options), options)
  const first = await open()
  const paused = await first.run({ question: 'Prepare the audit.' }, { id: 'run' }).then(
    () => Promise.reject(new Error('The run did not pause.')),
    (error: unknown) => pausedOf(error),
  )
  const second = await open()
  const { steps } = await second.resume(paused, { [paused.pending[0]?.callId ?? '']: true })
  if (steps !== STEPS + 1 || requests.length !== steps) throw new Error(`The run took ${steps} steps, not ${STEPS + 1}.`)
  return requests
}

function createAgent(lm: LM, { way, adapter, maxTokens }: TaskOptions) {
  const searched = {
    registry: createRegistry(library()),
    reveal: way === 'tools' ? ('tools' as const) : undefined,
    via: way === 'provider' ? ('provider' as const) : undefined,
  }
  return createReactAgent({
    lm,
    adapter,
    signature: task,
    tools: way === 'all' ? [sign, ...loaded()] : [sign],
    search: way === 'all' ? undefined : searched,
    maxSteps: 2 * STEPS,
    contextWindow: maxTokens === undefined ? undefined : { maxTokens },
  })
}

const task = defineSignature({
  instructions: 'You prepare audits. Use the tools, and answer with a summary. '.repeat(10).trim(),
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

const sign = defineTool({
  name: 'sign',
  description: 'Sign the audit.',
  args: Type.Object({}),
  effect: 'write',
  needsApproval: true,
  execute: () => 'Signed.',
})

/** Creates 1,000 lazy tools with cards. */
function library() {
  return loaded().map((tool) => lazy(tool.name, async () => tool, { description: tool.description }))
}

function loaded(): readonly Tool[] {
  return VERBS.flatMap((verb) => NOUNS.flatMap((noun) => PLACES.map((place) => toTool(verb, noun, place))))
}

function toTool(verb: string, noun: string, place: string): Tool {
  return defineTool({
    name: `${verb}_${noun}_${place}`,
    description: `Use this to ${verb} a ${noun} of the ${place}. Returns the record with its state.`,
    args: Type.Object({
      id: Type.String({ description: `Id of the ${noun}` }),
      reason: Type.Optional(Type.String({ description: 'Why, in one sentence' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of records' })),
    }),
    effect: 'read',
    execute: ({ id }) => ({ id, [noun]: place, state: 'open', notes: `The ${noun} waits for the ${place}. `.repeat(12) }),
  }) as never
}

/** Creates a model that calls a found tool in each step, in the form that its prompt asks for. */
function createModel(requests: LMRequest[], { way, adapter = nativeAdapter, api }: TaskOptions): LM {
  let found = way === 'all' ? loaded().map(({ name }) => name) : []
  return {
    async generate(request) {
      const step = requests.push({ ...request, messages: [...request.messages] })
      const inputTokens = Math.ceil(JSON.stringify([request.tools, request.messages]).length / 4)
      found = namesIn(request) ?? found
      return { ...replyTo(request, step), usage: { inputTokens, outputTokens: 50 } }
    },
  }
  function replyTo(request: LMRequest, step: number): LMResponse {
    if (step > STEPS) return { text: 'The audit is ready.', toolCalls: [] }
    if (api === undefined) return toReply(callOf(step), adapter)
    const query = SEARCHES.get(step) ?? ''
    if (query !== '') found = find(request, query).map((spec) => spec.function.name)
    return searchAndCall(api, request, callOf(step), query)
  }
  function callOf(step: number): RawToolCall {
    const query = SEARCHES.get(step)
    if (step === PAUSE) return toCall(step, 'sign', {})
    if (query !== undefined && way !== 'all' && way !== 'provider') return toCall(step, 'search_tools', { query })
    const name = found[step % Math.min(found.length, 5)] as string
    const args = { id: `record-${step}`, reason: 'The audit needs the current state.' }
    return way === 'call_tool' ? toCall(step, 'call_tool', { name, arguments: args }) : toCall(step, name, args)
  }
}

function toCall(step: number, name: string, args: object): RawToolCall {
  return { id: `call_${step}`, name, arguments: JSON.stringify(args) }
}

function toReply(call: RawToolCall, { toolCalling }: Adapter): LMResponse {
  if (toolCalling === 'native') return { text: '', toolCalls: [call] }
  const text = `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n</tool_call>`
  return { text, toolCalls: [] }
}

/** Returns the names of the tools in the last message, if it is a search result. */
function namesIn({ messages }: LMRequest): string[] | undefined {
  const text = messages.at(-1)?.content ?? ''
  if (!text.includes('"tools":[{"name"')) return undefined
  const names = Array.from(text.matchAll(/\{"name":"(\w+_\w+_\w+)"/g), ([, name]) => name as string)
  return names.length > 0 ? names : undefined
}

function pausedOf(error: unknown): PausedRun {
  if (!(error instanceof AgentError) || error.paused === undefined) throw error
  return JSON.parse(JSON.stringify(error.paused)) as PausedRun
}
