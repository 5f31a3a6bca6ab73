/** What a module is made from, checked when it is made: a mistake here is the programmer's. */
import { defineSignature } from '@x/adapters'
import { AgentError } from '../errors.ts'

/** Throws `invalid_options` where there are no options to read. */
export function assertGiven(owner: string, options: unknown): void {
  if (typeof options === 'object' && options !== null) return
  throw new AgentError('invalid_options', `${owner}: the options are no object. Write ${owner}({ lm, … }).`)
}

/** Throws `invalid_options` unless it is a language model. */
export function assertLM(owner: string, lm: unknown): void {
  if (typeof (lm as { generate?: unknown } | null | undefined)?.generate === 'function') return
  throw wrongOption(owner, 'lm', 'an LM, e.g. createLM({ wire, baseURL, model })')
}

/** Throws `invalid_options` unless it is a signature, and as `defineSignature` for the fields of one that was written by hand. */
export function assertSignature(owner: string, signature: unknown): void {
  const { inputs, outputs } = (signature ?? {}) as { inputs?: unknown; outputs?: unknown }
  if (typeof inputs !== 'object' || typeof outputs !== 'object') throw wrongOption(owner, 'signature', 'made by defineSignature')
  defineSignature(signature as never)
}

/** Throws `invalid_options` unless it is an adapter, or left out. */
export function assertAdapter(owner: string, adapter: unknown): void {
  if (adapter === undefined) return
  const { begin, parse } = (adapter ?? {}) as { begin?: unknown; parse?: unknown }
  if (typeof begin === 'function' && typeof parse === 'function') return
  throw wrongOption(owner, 'adapter', 'an adapter, e.g. nativeAdapter, or textAdapter(dialect)')
}

/** Throws `invalid_options` unless it is a whole number from `least`. */
export function assertCount(owner: string, option: string, count: unknown, least: number): void {
  if (Number.isSafeInteger(count) && (count as number) >= least) return
  throw wrongOption(owner, option, `a whole number of ${least} or more`)
}

/** Throws `invalid_options` unless it is a time in milliseconds, `Infinity` for none, or left out. */
export function assertTime(owner: string, name: string, time: unknown): void {
  if (time === undefined || (typeof time === 'number' && time > 0)) return
  throw wrongOption(owner, name, 'a number of milliseconds, or Infinity')
}

/** Throws `invalid_options` unless it is an `AbortSignal`, or left out. An `AbortController` is refused too. */
export function assertSignal(owner: string, signal: Partial<AbortSignal> | null | undefined): void {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return
  throw wrongOption(owner, 'signal', 'an AbortSignal, such as controller.signal, or left out')
}

export function wrongOption(owner: string, option: string, expected: string): AgentError {
  return new AgentError('invalid_options', `${owner}: ${option} is missing or wrong. It must be ${expected}.`)
}
