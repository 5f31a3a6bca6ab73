/** Creates adapters from two functions: one writes the instructions, the other parses the reply. */

import { AdapterError } from '../adapter-error.ts'
import { fieldsOf } from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import { formatInputs } from '../signature/write-inputs.ts'
import type { Adapter, FieldReader } from './adapter.ts'
import { toNativeAdapter } from './native.ts'
import { readObject } from './read-object.ts'
import { invalid } from './read-sections.ts'
import type { ReadOutputs } from './wording.ts'

export interface CustomAdapterOptions {
  readonly name: string
  /** Returns the system message. It must describe the task and how to write the outputs. */
  formatInstructions(signature: Signature): string
  /** Parses a non-empty reply. Returns an object with one property per plain output. May throw. */
  parse(signature: Signature, text: string): object
  /** Writes the outputs of the signature's examples in the form that the model should use. */
  formatOutputs?(signature: Signature, outputs: Readonly<Record<string, unknown>>): string
  /** Creates a reader that assigns streamed text to outputs, for the `field` events of `predict(…).stream`. */
  readFields?(signature: Signature): FieldReader
}

/**
 * Creates an adapter with your own prompt and parser. Inputs are written as by `nativeAdapter`. Tools and calls go through the
 * API and aren't passed to `parse`. If `parse` throws or doesn't return an object, the model gets an `invalid_output` error. If
 * `formatInstructions` doesn't return a string, `format` and `begin` throw `AdapterError` before the model is called.
 */
export function customAdapter(options: CustomAdapterOptions): Adapter {
  if (typeof options !== 'object' || options === null) throw new TypeError(NO_OPTIONS)
  const { name } = options
  for (const method of ['formatInstructions', 'parse'] as const) {
    const given: unknown = options[method]
    if (typeof given === 'function') continue
    throw new TypeError(`customAdapter "${name}": ${method} must be a function, got a value of type ${typeof given}.`)
  }
  const instructions = (signature: Signature) => textOf(name, 'formatInstructions', () => options.formatInstructions(signature))
  return toNativeAdapter({
    name,
    instructions,
    inputs: formatInputs,
    outputs: (signature, outputs) =>
      textOf(name, 'formatOutputs (required when a signature has examples)', () => options.formatOutputs?.(signature, outputs)),
    describeOutputs: instructions,
    readFields: options.readFields?.bind(options),
    read: (signature, text) => readBy(options, signature, text),
  })
}

const NO_OPTIONS = 'customAdapter: the options must be an object. Write customAdapter({ name, formatInstructions, parse }).'

function textOf(name: string, what: string, write: () => unknown): string {
  let text: unknown
  try {
    text = write()
  } catch (cause) {
    throw new AdapterError('invalid_instructions', `The adapter "${name}": ${what} threw ${wordsOf(cause)}`, { cause })
  }
  if (typeof text === 'string') return text
  throw new AdapterError(
    'invalid_instructions',
    `The adapter "${name}": ${what} must return a string, but returned a value of type ${typeof text}.`,
  )
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? `"${cause.message}".` : 'a value that is not an Error.'
}

/**
 * Parses the outputs with `options.parse`. If that throws, its error message isn't sent to the model, because it wasn't written
 * for one.
 */
function readBy(options: CustomAdapterOptions, signature: Signature, text: string): ReadOutputs {
  const [first] = fieldsOf(signature.outputs, 'value')
  if (first === undefined) return { values: {}, errors: [], recovered: [] }
  const malformed = {
    values: {},
    errors: [invalid(first[0], 'could not be read. Write the reply in the requested format.')],
    recovered: [],
  }
  if (text.trim() === '') return malformed
  let object: unknown
  try {
    object = options.parse(signature, text)
  } catch {
    return malformed
  }
  return isPlain(object) ? readObject(signature, object, 'Add it to the reply.') : malformed
}

/** Returns false for arrays and for promises, because replies are parsed synchronously. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return typeof (value as { then?: unknown }).then !== 'function'
}
