/** Checks the options of modules when they are created. */
import { defineSignature } from '@x/adapters'
import { AgentError } from '../errors.ts'

/** Throws `invalid_options` if the options are missing. */
export function assertGiven(owner: string, options: unknown): void {
  if (typeof options === 'object' && options !== null) return
  throw new AgentError(
    'invalid_options',
    `${owner}: the options must be an object, but are ${described(options)}. Write ${owner}({ lm, … }).`,
  )
}

/** Throws `invalid_options` unless it is a language model. */
export function assertLM(owner: string, lm: unknown): void {
  if (typeof (lm as { generate?: unknown } | null | undefined)?.generate === 'function') return
  throw wrongOption(owner, 'lm', 'an LM, e.g. createLM({ wire, baseURL, model })', lm)
}

/** Throws `invalid_options` unless it is a signature. Throws like `defineSignature` for invalid fields of a handwritten one. */
export function assertSignature(owner: string, signature: unknown): void {
  const { inputs, outputs } = (signature ?? {}) as { inputs?: unknown; outputs?: unknown }
  if (typeof inputs !== 'object' || typeof outputs !== 'object')
    throw wrongOption(owner, 'signature', 'made by defineSignature', signature)
  defineSignature(signature as never)
}

/** Throws `invalid_options` unless it is an adapter or undefined. */
export function assertAdapter(owner: string, adapter: unknown): void {
  if (adapter === undefined) return
  const { begin, parse } = (adapter ?? {}) as { begin?: unknown; parse?: unknown }
  if (typeof begin === 'function' && typeof parse === 'function') return
  throw wrongOption(owner, 'adapter', 'an adapter, e.g. nativeAdapter, or textAdapter(dialect)', adapter)
}

/** Throws `invalid_options` unless it is a whole number from `least`. */
export function assertCount(owner: string, option: string, count: unknown, least: number): void {
  if (Number.isSafeInteger(count) && (count as number) >= least) return
  throw wrongOption(owner, option, `a whole number of ${least} or more`, count)
}

/** Throws `invalid_options` unless it is a positive number of milliseconds, `Infinity` or undefined. */
export function assertTime(owner: string, name: string, time: unknown): void {
  if (time === undefined || (typeof time === 'number' && time > 0)) return
  throw wrongOption(owner, name, 'a number of milliseconds above 0, or Infinity', time)
}

/** Throws `invalid_options` unless it is an `AbortSignal` or undefined. An `AbortController` is refused too. */
export function assertSignal(owner: string, signal: Partial<AbortSignal> | null | undefined): void {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return
  throw wrongOption(owner, 'signal', 'an AbortSignal, such as controller.signal', signal)
}

export function wrongOption(owner: string, option: string, expected: string, value: unknown): AgentError {
  return new AgentError('invalid_options', `${owner}: ${option} must be ${expected}, but is ${described(value)}.`)
}

/** Returns short values unchanged, and only the type of others, since they may contain secrets. */
function described(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return value.length <= 20 ? JSON.stringify(value) : 'a string'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object of another kind'
  return String(value)
}
