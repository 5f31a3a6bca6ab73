/** An adapter of two functions: one asks for the outputs in its own words, the other reads them. */

import { AdapterError } from '../adapter-error.ts'
import { fieldsOf, formatInputs } from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import type { Adapter, FieldReader } from './adapter.ts'
import { toNativeAdapter } from './native.ts'
import { readObject } from './read-object.ts'
import { invalid } from './read-sections.ts'
import type { ReadOutputs } from './wording.ts'

export interface CustomAdapterOptions {
  readonly name: string
  /** The system message: what to do, and how to write the outputs. */
  formatInstructions(signature: Signature): string
  /** The plain outputs out of a reply that says something, as an object with a property for each field. It may throw. */
  parse(signature: Signature, text: string): object
  /** Outputs as the model is to write them, for the examples of a signature. */
  formatOutputs?(signature: Signature, outputs: Readonly<Record<string, unknown>>): string
  /** Which output each piece of a streamed reply belongs to, for the `field` events of `predict(…).stream`. */
  readFields?(signature: Signature): FieldReader
}

/**
 * An adapter of your own words. Inputs are told as `nativeAdapter` tells them; tools and their calls go beside the text and are not
 * seen by it. What `parse` gives is checked: where it throws or gives no object the field has an `invalid_output`. Where
 * `formatInstructions` gives no text, `format` and `begin` throw `AdapterError`, before a model is asked.
 */
export function customAdapter(options: CustomAdapterOptions): Adapter {
  if (typeof options !== 'object' || options === null) throw new TypeError(NO_OPTIONS)
  const { name } = options
  for (const method of ['formatInstructions', 'parse'] as const) {
    if (typeof options[method] !== 'function') throw new TypeError(`customAdapter "${name}": ${method} is no function.`)
  }
  const instructions = (signature: Signature) => textOf(name, 'formatInstructions', () => options.formatInstructions(signature))
  return toNativeAdapter({
    name,
    instructions,
    inputs: formatInputs,
    outputs: (signature, outputs) =>
      textOf(name, 'formatOutputs, which a signature with examples needs,', () => options.formatOutputs?.(signature, outputs)),
    describeOutputs: instructions,
    readFields: options.readFields?.bind(options),
    read: (signature, text) => readBy(options, signature, text),
  })
}

const NO_OPTIONS = 'customAdapter: the options are no object. Write customAdapter({ name, formatInstructions, parse }).'

function textOf(name: string, what: string, write: () => unknown): string {
  let text: unknown
  try {
    text = write()
  } catch (cause) {
    throw new AdapterError('invalid_instructions', `The adapter "${name}": ${what} threw ${wordsOf(cause)}`, { cause })
  }
  if (typeof text === 'string') return text
  throw new AdapterError('invalid_instructions', `The adapter "${name}": ${what} gave no text. Return a string.`)
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? `"${cause.message}".` : 'what is no error.'
}

/** The words of what was thrown stay here: they were not written for a model. */
function readBy(options: CustomAdapterOptions, signature: Signature, text: string): ReadOutputs {
  const [first] = fieldsOf(signature.outputs, 'value')
  if (first === undefined) return { values: {}, errors: [], recovered: [] }
  const unread = {
    values: {},
    errors: [invalid(first[0], 'cannot be read. Write the reply in the form that was asked for.')],
    recovered: [],
  }
  if (text.trim() === '') return unread
  let object: unknown
  try {
    object = options.parse(signature, text)
  } catch {
    return unread
  }
  return isPlain(object) ? readObject(signature, object, 'Add it to the reply.') : unread
}

/** No list, and no promise: a reply is read at once. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return typeof (value as { then?: unknown }).then !== 'function'
}
