/** Checks the options of an agent before anything is opened, and the options of its runs. */
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

/** The minimum of each limit. */
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

/** Throws `invalid_options` with the name of the option, its value, and what it must be. */
export function assertOptions(options: ReactAgentOptions<Signature>): void {
  assertGiven(OWNER, options)
  const { lm, signature, tools, search, adapter, stopWhen, pauses, modelTimeoutMs, name } = options
  assertLM(OWNER, lm)
  assertSignature(OWNER, signature)
  assertAdapter(OWNER, adapter)
  if (name !== undefined && typeof name !== 'string') throw wrongOption(OWNER, 'name', 'a string', name)
  if (!Array.isArray(tools) && !hasMethod(tools, 'resolveFor'))
    throw wrongOption(OWNER, 'tools', 'a registry, or a list of tools', tools)
  if (search !== undefined && !(hasMethod(search, 'search') && hasMethod(search, 'resolveFor')))
    throw wrongOption(OWNER, 'search', 'a registry made by createRegistry', search)
  for (const [count, least] of Object.entries(COUNTS) as [keyof typeof COUNTS, number][])
    if (options[count] !== undefined) assertCount(OWNER, count, options[count], least)
  assertTime(OWNER, 'modelTimeoutMs', modelTimeoutMs)
  if (stopWhen !== undefined && typeof stopWhen !== 'function')
    throw wrongOption(OWNER, 'stopWhen', 'a function of the state of the run that returns true or false', stopWhen)
  assertWindow(options.contextWindow)
  assertBudget(OWNER, options)
  if (pauses?.key !== undefined && (typeof pauses.key !== 'string' || pauses.key === ''))
    throw wrongOption(OWNER, 'pauses.key', 'a string that is not empty', pauses.key)
  assertTime(OWNER, 'pauses.expiresInMs', pauses?.expiresInMs)
  const field = Object.keys(signature.outputs).find((key) => fieldKind(signature.outputs[key]) === 'tool_calls')
  if (field === undefined) return
  throw new AgentError(
    'invalid_options',
    `createReactAgent: the output "${field}" of the signature holds tool calls, but an agent runs its tool calls itself. Remove this output, or use predict.`,
  )
}

/** Throws `invalid_options` before the model is called, so that a mistake doesn't cost a run. */
export function assertRunOptions({ approve, steps, signal, timeoutMs }: RunOptions): void {
  assertTime('run', 'timeoutMs', timeoutMs)
  if (approve !== undefined && typeof approve !== 'function')
    throw wrongOption('run', 'approve', 'a function that decides about a call', approve)
  if (steps !== undefined && !hasMethod(steps, 'run'))
    throw wrongOption('run', 'steps', 'a journal with run(key, execute)', steps)
  assertSignal('run', signal)
}

function assertWindow(window: unknown): void {
  if (window === undefined) return
  const { maxTokens, summarise } = members(OWNER, 'contextWindow', window, ['maxTokens', 'summarise'])
  if (maxTokens !== undefined && !(typeof maxTokens === 'number' && maxTokens > 0))
    throw wrongOption(OWNER, 'contextWindow.maxTokens', 'a number of tokens above 0', maxTokens)
  if (summarise !== undefined && typeof summarise !== 'function')
    throw wrongOption(OWNER, 'contextWindow.summarise', 'a function from messages to a string', summarise)
}

/** Throws `invalid_options` for an unknown limit, for an amount below 0, and for a limit of the cost without prices. */
export function assertBudget(
  owner: string,
  { budget = {}, prices }: Pick<ReactAgentOptions<Signature>, 'budget' | 'prices'>,
): void {
  const amounts = members(owner, 'budget', budget, ['tokens', 'inputTokens', 'outputTokens', 'cost'])
  for (const [name, amount] of Object.entries(amounts)) {
    if (amount === undefined || (typeof amount === 'number' && amount >= 0)) continue
    throw wrongOption(owner, `budget.${name}`, 'a number of 0 or more', amount)
  }
  if (prices !== undefined) assertPrices(owner, prices)
  else if (amounts.cost !== undefined)
    throw wrongOption(owner, 'prices', '{ input, output }, per million tokens, because budget.cost is set', prices)
}

/** Throws `invalid_options`: with an invalid price, a limit of the cost would have no effect. */
function assertPrices(owner: string, prices: unknown): void {
  const { input, output, cachedInput = 0 } = members(owner, 'prices', prices, ['input', 'output', 'cachedInput'])
  for (const [name, price] of Object.entries({ input, output, cachedInput }))
    if (!(typeof price === 'number' && price >= 0 && price < Number.POSITIVE_INFINITY))
      throw wrongOption(owner, `prices.${name}`, 'a number of 0 or more, per million tokens', price)
}

/** Throws `invalid_options` unless it is an object with no other members than these. */
function members(owner: string, option: string, value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw wrongOption(owner, option, `an object with ${names.join(', ')}`, value)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new AgentError('invalid_options', `${owner}: ${option}.${unknown} is unknown. Known options: ${names.join(', ')}.`)
  return value
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'
}
