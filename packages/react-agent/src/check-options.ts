/** What an agent is made from, checked before anything is opened: a mistake here is the programmer's. */
import { fieldKind, type Signature } from '@x/adapters'
import { AgentError } from './errors.ts'
import { isRecord } from './json.ts'
import type { Limits, ReactAgentOptions, RunOptions } from './options.ts'
import {
  assertAdapter,
  assertCount,
  assertGiven,
  assertLM,
  assertSignal,
  assertSignature,
  assertTime,
  wrongOption,
} from './predict/options.ts'

/** The least of each count that an agent takes. */
const COUNTS = {
  maxSteps: 1,
  maxRepairs: 0,
  maxRevealed: 1,
  maxParallelCalls: 1,
  maxCallsPerTurn: 1,
  maxRepeats: 1,
  maxToolFailures: 1,
  maxResultLength: 100,
} as const satisfies Limits

const OWNER = 'createReactAgent'

/** Throws `invalid_options` with the option's name and what it should be. */
export function assertOptions(options: ReactAgentOptions<Signature>): void {
  assertGiven(OWNER, options)
  const { lm, signature, tools, search, adapter, stopWhen, pauses, modelTimeoutMs, name } = options
  assertLM(OWNER, lm)
  assertSignature(OWNER, signature)
  assertAdapter(OWNER, adapter)
  if (name !== undefined && typeof name !== 'string') throw wrongOption(OWNER, 'name', 'a text, or left out')
  if (!Array.isArray(tools) && !hasMethod(tools, 'resolveFor'))
    throw wrongOption(OWNER, 'tools', 'a registry, or a list of tools')
  if (search !== undefined && !(hasMethod(search, 'search') && hasMethod(search, 'resolveFor')))
    throw wrongOption(OWNER, 'search', 'a registry made by createRegistry')
  for (const [count, least] of Object.entries(COUNTS) as [keyof typeof COUNTS, number][])
    if (options[count] !== undefined) assertCount(OWNER, count, options[count], least)
  assertTime(OWNER, 'modelTimeoutMs', modelTimeoutMs)
  if (stopWhen !== undefined && typeof stopWhen !== 'function')
    throw wrongOption(OWNER, 'stopWhen', 'a function of the state of the run that gives true or false')
  assertWindow(options.contextWindow)
  assertBudget(OWNER, options)
  if (pauses?.key !== undefined && (typeof pauses.key !== 'string' || pauses.key === ''))
    throw wrongOption(OWNER, 'pauses.key', 'a text that is not empty, or left out')
  assertTime(OWNER, 'pauses.expiresInMs', pauses?.expiresInMs)
  const field = Object.keys(signature.outputs).find((key) => fieldKind(signature.outputs[key]) === 'tool_calls')
  if (field === undefined) return
  throw new AgentError(
    'invalid_options',
    `createReactAgent: the output "${field}" holds tool calls, which an agent runs itself. Leave it out, or use predict.`,
  )
}

/** Before the model is asked: what comes to light at the first call that needs it costs a run. */
export function assertRunOptions({ approve, steps, signal, timeoutMs }: RunOptions): void {
  assertTime('run', 'timeoutMs', timeoutMs)
  if (approve !== undefined && typeof approve !== 'function')
    throw wrongOption('run', 'approve', 'a function that decides about a call, or left out')
  if (steps !== undefined && !hasMethod(steps, 'run'))
    throw wrongOption('run', 'steps', 'a journal with run(key, task), or left out')
  assertSignal('run', signal)
}

function assertWindow(window: unknown): void {
  if (window === undefined) return
  const { maxTokens, summarise } = members(OWNER, 'contextWindow', window, ['maxTokens', 'summarise'])
  if (maxTokens !== undefined && !(typeof maxTokens === 'number' && maxTokens > 0))
    throw wrongOption(OWNER, 'contextWindow.maxTokens', 'a number of tokens, or left out')
  if (summarise !== undefined && typeof summarise !== 'function')
    throw wrongOption(OWNER, 'contextWindow.summarise', 'a function from messages to a text, or left out')
}

/** Money needs prices; each amount is a number from 0. A limit by a name that nobody knows would limit nothing. */
export function assertBudget(
  owner: string,
  { budget = {}, prices }: Pick<ReactAgentOptions<Signature>, 'budget' | 'prices'>,
): void {
  const amounts = members(owner, 'budget', budget, ['tokens', 'inputTokens', 'outputTokens', 'cost'])
  for (const [name, amount] of Object.entries(amounts)) {
    if (amount === undefined || (typeof amount === 'number' && amount >= 0)) continue
    throw wrongOption(owner, `budget.${name}`, 'a number from 0')
  }
  if (prices !== undefined) assertPrices(owner, prices)
  else if (amounts.cost !== undefined)
    throw wrongOption(owner, 'prices', '{ input, output } for a million tokens each, since budget.cost is given')
}

/** With a price that is no number nothing would ever be too dear. */
function assertPrices(owner: string, prices: unknown): void {
  const { input, output, cachedInput = 0 } = members(owner, 'prices', prices, ['input', 'output', 'cachedInput'])
  for (const [name, price] of Object.entries({ input, output, cachedInput }))
    if (!(typeof price === 'number' && price >= 0 && price < Number.POSITIVE_INFINITY))
      throw wrongOption(owner, `prices.${name}`, 'a number from 0, for a million tokens')
}

/** Throws unless it is an object that has these members and no other. */
function members(owner: string, option: string, value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw wrongOption(owner, option, `an object of ${names.join(', ')}`)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined) throw wrongOption(owner, `${option}.${unknown}`, `left out: ${option} holds ${names.join(', ')}`)
  return value
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'
}
