/** What every factory of this package checks of what it is given: a mistake here is the programmer's. */
import type { LM } from '@x/adapters'
import { LMError } from './errors.ts'

/** Throws `TypeError` unless it is a language model. */
export function assertLM(owner: string, lm: unknown): asserts lm is LM {
  if (typeof (lm as Partial<LM> | null | undefined)?.generate === 'function') return
  throw new TypeError(
    `${owner}: this is no LM. Give one, e.g. createLM({ wire, baseURL, model }), not its name or a promise of it.`,
  )
}

/** Throws `TypeError` unless it is an object with the name of a model. */
export function assertModelOptions(owner: string, options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${owner}: the options are no object. Write ${owner}({ model: 'name', … }).`)
  const { model } = options as { readonly model?: unknown }
  if (typeof model === 'string') return
  throw new TypeError(
    `${owner}: model is missing. Write the name of the model, as the host knows it: ${owner}({ model: 'name', … }).`,
  )
}

/** Throws `TypeError` unless it is a function, or left out. */
export function assertFunction(owner: string, name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw new TypeError(`${owner}: ${name} is no function. Give one, or leave it out.`)
}

/** Throws `TypeError` unless it is an object, or left out; `fields` are those that it may have. */
export function assertObject(owner: string, name: string, value: unknown, fields: string): void {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return
  throw new TypeError(`${owner}: ${name} is no object. Write ${fields}, or leave it out.`)
}

/** `purpose` ends the sentence "x is needed …". Put the import itself inside `try`: bundlers then accept that the package is missing. */
export function missingPackage(name: string, purpose: string, cause: unknown): LMError {
  return new LMError('missing_package', `The package ${name} is needed ${purpose}. Install it: npm i ${name}`, { cause })
}
