/** Checks the options of agents, runs and modules, and fills in the defaults of limits. */
import { fieldKind, readSignature, type Signature } from '@x/adapters'
import { isTool, isToolSource } from '@x/tool-core'
import { AgentError } from './errors.ts'
import { isRecord } from './json.ts'
import type { Limits, ReactAgentOptions, RunOptions } from './options.ts'

/** The default and the minimum of each limit. */
const LIMITS = {
  maxSteps: [10, 1],
  maxRepairs: [2, 0],
  maxRevealed: [64, 1],
  maxParallelCalls: [8, 1],
  maxCallsPerTurn: [100, 1],
  maxRepeats: [5, 1],
  maxToolFailures: [5, 1],
  // 32,000 characters are about 8,000 tokens.
  maxResultLength: [32_000, 100],
} as const satisfies { readonly [Name in keyof Limits]: readonly [standard: number, least: number] }

/** Returns the limit, or its default. Throws `invalid_options` if the limit is invalid. */
export function limitOf(
  owner: string,
  limits: { readonly [Name in keyof Limits]?: number | undefined },
  name: keyof Limits,
): number {
  const [standard, least] = LIMITS[name]
  const { [name]: limit = standard } = limits
  assertCount(owner, name, limit, least)
  return limit
}

const OWNER = 'createReactAgent'

/** Returns the limits. Throws `invalid_options` with the name of the option, its value, and what it must be. */
export function checkOptions(options: ReactAgentOptions<Signature>): Limits {
  const { signature, tools, search, stopWhen, pauses, name } = options
  assertSignature(OWNER, signature)
  if (name !== undefined && typeof name !== 'string') throw wrongOption(OWNER, 'name', 'a string', name)
  if (!Array.isArray(tools) && !hasMethod(tools, 'resolveFor'))
    throw wrongOption(OWNER, 'tools', `a registry, or a list of tools${listOf(tools)}`, tools)
  assertSearch(search)
  const names = Object.keys(LIMITS) as (keyof Limits)[]
  const limits = {} as Record<keyof Limits, number>
  for (const limit of names) limits[limit] = limitOf(OWNER, options, limit)
  assertFunction(OWNER, 'stopWhen', 'that returns true or false', stopWhen)
  assertWindow(options.contextWindow)
  assertBudget(OWNER, options)
  if (pauses?.key !== undefined && (typeof pauses.key !== 'string' || pauses.key === ''))
    throw wrongOption(OWNER, 'pauses.key', 'a string that is not empty', pauses.key)
  assertTime(OWNER, 'pauses.expiresInMs', pauses?.expiresInMs)
  const field = Object.keys(signature.outputs).find((key) => fieldKind(signature.outputs[key]) === 'tool_calls')
  if (field === undefined) return limits
  throw new AgentError(
    'invalid_options',
    `${OWNER}: the output "${field}" holds tool calls, which an agent runs itself. Remove it, or use predict.`,
  )
}

/** Throws `invalid_options` before the model is called, so that a mistake doesn't cost a run. */
export function assertRunOptions({ approve, steps, signal, timeoutMs }: RunOptions): void {
  assertTime('run', 'timeoutMs', timeoutMs)
  assertFunction('run', 'approve', 'that decides about a call', approve)
  if (steps !== undefined && !hasMethod(steps, 'run'))
    throw wrongOption('run', 'steps', 'a journal with run(key, execute)', steps)
  assertSignal('run', signal)
}

function assertSearch(search: unknown): void {
  if (search === undefined) return
  const isNested = isRecord(search) && Object.hasOwn(search, 'registry')
  const given: Readonly<Record<string, unknown>> = isNested
    ? members(OWNER, 'search', search, ['registry', 'reveal', 'via'])
    : { registry: search }
  const { registry, reveal, via } = given
  if (!(hasMethod(registry, 'search') && hasMethod(registry, 'resolveFor')))
    throw wrongOption(OWNER, isNested ? 'search.registry' : 'search', 'a registry made by createRegistry', registry)
  if (reveal !== undefined && reveal !== 'call_tool' && reveal !== 'tools')
    throw wrongOption(OWNER, 'search.reveal', '"call_tool" or "tools"', reveal)
  if (via !== undefined && via !== 'own' && via !== 'provider') throw wrongOption(OWNER, 'search.via', '"own" or "provider"', via)
}

function assertWindow(window: unknown): void {
  if (window === undefined) return
  const { maxTokens, summarize } = members(OWNER, 'contextWindow', window, ['maxTokens', 'summarize'])
  if (maxTokens !== undefined && !(typeof maxTokens === 'number' && maxTokens > 0))
    throw wrongOption(OWNER, 'contextWindow.maxTokens', 'a number of tokens above 0', maxTokens)
  assertFunction(OWNER, 'contextWindow.summarize', 'from messages to a string', summarize)
}

function assertFunction(owner: string, option: string, purpose: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw wrongOption(owner, option, `a function ${purpose}`, value)
}

/** Throws `invalid_options` for an unknown limit, for an amount below 0, and for a cost limit without prices. */
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

/** Throws `invalid_options` for an invalid price, which would disable a cost limit. */
function assertPrices(owner: string, prices: unknown): void {
  const names = ['input', 'output', 'cachedInput', 'cacheWrite']
  const given = members(owner, 'prices', prices, names)
  for (const name of names) {
    const price = given[name] === undefined && name.startsWith('cache') ? 0 : given[name]
    if (!(typeof price === 'number' && price >= 0 && price < Number.POSITIVE_INFINITY))
      throw wrongOption(owner, `prices.${name}`, 'a number of 0 or more, per million tokens', price)
  }
}

/** Returns the object. Throws `invalid_options` for any other value, and for an object with other members. */
function members(owner: string, option: string, value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw wrongOption(owner, option, `an object with ${names.join(', ')}`, value)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new AgentError('invalid_options', `${owner}: ${option}.${unknown} is unknown. Known options: ${names.join(', ')}.`)
  return value
}

/** Suggests how to pass the given tools as a list. */
export function listOf(tools: unknown): string {
  if (isToolSource(tools)) return ', such as [toolset]'
  const isObjectOfTools = isRecord(tools) && Object.values(tools).some(isTool)
  return isObjectOfTools ? ', such as Object.values(tools)' : ''
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'
}

/** Throws `invalid_options` if the options are missing. */
export function assertGiven(owner: string, options: unknown): void {
  if (typeof options === 'object' && options !== null) return
  throw new AgentError(
    'invalid_options',
    `${owner}: the options must be an object, but are ${described(options)}. Write ${owner}({ lm, … }).`,
  )
}

/** Throws `invalid_options` unless `lm` is a language model. */
export function assertLM(owner: string, lm: unknown): void {
  if (typeof (lm as { generate?: unknown } | null | undefined)?.generate === 'function') return
  throw wrongOption(owner, 'lm', 'an LM, e.g. createLM({ wire, baseURL, model })', lm)
}

/**
 * Throws `invalid_options` unless `signature` is a signature. For a handwritten one with invalid fields, throws the error of
 * `defineSignature`.
 */
export function assertSignature(owner: string, signature: unknown): void {
  const { inputs, outputs } = (signature ?? {}) as { inputs?: unknown; outputs?: unknown }
  if (typeof inputs !== 'object' || typeof outputs !== 'object')
    throw wrongOption(owner, 'signature', 'made by defineSignature', signature)
  readSignature(signature as Signature)
}

/** Throws `invalid_options` unless `adapter` is an adapter or undefined. */
export function assertAdapter(owner: string, adapter: unknown): void {
  if (adapter === undefined) return
  const { begin, parse } = (adapter ?? {}) as { begin?: unknown; parse?: unknown }
  if (typeof begin === 'function' && typeof parse === 'function') return
  throw wrongOption(owner, 'adapter', 'an adapter, e.g. nativeAdapter, or textAdapter(dialect)', adapter)
}

/** Throws `invalid_options` unless `count` is a whole number of `least` or more. */
export function assertCount(owner: string, option: string, count: unknown, least: number): void {
  if (Number.isSafeInteger(count) && (count as number) >= least) return
  throw wrongOption(owner, option, `a whole number of ${least} or more`, count)
}

/** Throws `invalid_options` unless `time` is a positive number of milliseconds, `Infinity` or undefined. */
export function assertTime(owner: string, name: string, time: unknown): void {
  if (time === undefined || (typeof time === 'number' && time > 0)) return
  throw wrongOption(owner, name, 'a number of milliseconds above 0, or Infinity', time)
}

/** Throws `invalid_options` unless `signal` is an `AbortSignal` or undefined. An `AbortController` is refused too. */
export function assertSignal(owner: string, signal: Partial<AbortSignal> | null | undefined): void {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return
  throw wrongOption(owner, 'signal', 'an AbortSignal, such as controller.signal', signal)
}

export function wrongOption(owner: string, option: string, expected: string, value: unknown): AgentError {
  return new AgentError('invalid_options', `${owner}: ${option} must be ${expected}, but is ${described(value)}.`)
}

/** Describes a value for an error message. Short values are shown, and others only by type, because they may contain secrets. */
function described(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return value.length <= 20 ? JSON.stringify(value) : 'a string'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object of another kind'
  return String(value)
}
