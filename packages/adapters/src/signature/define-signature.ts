/** Declares signatures, by their fields or as a string, and checks them. */
import { foreignVendorOf, type ValueOf } from '@x/tool-core'
import type { TProperties } from 'typebox'
import { isRecord } from '../is-record.ts'
import { assertExamples } from './examples.ts'
import type { Signature, SignatureExample } from './signature.ts'
import { parseSignature } from './signature-string.ts'
import type { InputsIn, OutputsIn, SignatureIn } from './signature-types.ts'
import { assertToolFields } from './tool-fields.ts'

export interface TextSignatureOptions<Text extends string> {
  /** Default: derived from the names of the fields. */
  instructions?: string | undefined
  examples?: readonly SignatureExample<InputsIn<Text>, OutputsIn<Text>>[] | undefined
}

export interface DefineSignature {
  /** Declares a signature as a string. */
  <const Text extends string>(text: Text, options?: TextSignatureOptions<Text>): SignatureIn<Text>
  /** Declares a signature by its fields. */
  <In extends TProperties, Out extends TProperties>(signature: {
    instructions: string
    inputs: In
    outputs: Out
    examples?: readonly SignatureExample<ValueOf<In>, ValueOf<Out>>[] | undefined
  }): Signature<ValueOf<In>, ValueOf<Out>>
}

/**
 * Declares a signature, by its fields or as a string: `'question, context: string[] -> answer, score?: number'`. A field's
 * `description` is sent to the model. Throws a TypeError if there are no outputs, a field isn't a JSON Schema (such as a zod
 * schema), the string doesn't parse, or an example doesn't match. Throws `AdapterError` for inconsistent tool fields.
 */
// Not an overloaded function: checking generic overloads against their implementation costs as many types as the rest of this file.
export const defineSignature = toSignature as unknown as DefineSignature

function toSignature(declared: string | Signature, options: AnyOptions = {}): Signature {
  if (typeof declared !== 'string' && !isRecord(declared)) throw new TypeError(NO_SIGNATURE)
  const signature = typeof declared === 'string' ? fromText(declared, options) : declared
  assertSchemas(signature.inputs, 'inputs')
  assertSchemas(signature.outputs, 'outputs')
  if (Object.keys(signature.outputs).length === 0)
    throw new TypeError('defineSignature: outputs is empty. Declare at least one output field.')
  assertToolFields(signature.inputs, signature.outputs)
  assertExamples(signature)
  return signature
}

/** Refuses a schema of another library, which looks like JSON Schema and would be misread. */
function assertSchemas(fields: unknown, place: 'inputs' | 'outputs'): void {
  const vendor = foreignVendorOf(fields)
  if (vendor !== undefined || !isRecord(fields)) {
    const what =
      vendor === undefined ? 'is not an object of fields' : `is a schema defined with ${vendor}, not an object of fields`
    throw new TypeError(`defineSignature: ${place} ${what}. Write { name: schema }, e.g. { question: Type.String() }.`)
  }
  for (const [name, schema] of Object.entries(fields)) {
    const library = foreignVendorOf(schema)
    const inner = library === undefined && isRecord(schema) ? vendorWithin(schema) : undefined
    if (library === undefined && inner === undefined && isRecord(schema)) continue
    const what =
      library !== undefined
        ? `is defined with ${library}`
        : inner === undefined
          ? 'is not a schema'
          : `contains a schema defined with ${inner}`
    throw new TypeError(
      `defineSignature: ${place}.${name} ${what}. Write it with typebox, e.g. Type.String(), or give a JSON Schema as Type.Unsafe(schema).`,
    )
  }
}

/** The library of a nested schema, in an object or an array. Data, such as a default, is ignored. */
function vendorWithin(schema: object, isMap = false, seen = new Set<object>()): string | undefined {
  if (seen.has(schema)) return undefined
  seen.add(schema)
  for (const [key, inner] of Object.entries(schema)) {
    if (!isMap && DATA.has(key)) continue
    const isInner = typeof inner === 'object' && inner !== null
    const vendor = foreignVendorOf(inner) ?? (isInner ? vendorWithin(inner, !isMap && key === 'properties', seen) : undefined)
    if (vendor !== undefined) return vendor
  }
  return undefined
}

const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])

const NO_SIGNATURE =
  "defineSignature: pass a string, such as 'question -> answer', or { instructions, inputs, outputs } with two objects of fields."

type AnyOptions = { readonly [Name in 'instructions' | 'examples']?: Signature[Name] | undefined }

function fromText(text: string, { instructions, examples }: AnyOptions): Signature {
  const { inputs, outputs } = parseSignature(text)
  return { instructions: instructions ?? toInstructions(inputs, outputs), inputs, outputs, ...(examples && { examples }) }
}

function toInstructions(inputs: object, outputs: object): string {
  const written = `write ${namesOf(outputs)}.`
  return Object.keys(inputs).length === 0 ? `W${written.slice(1)}` : `From ${namesOf(inputs)}, ${written}`
}

function namesOf(fields: object): string {
  return Object.keys(fields)
    .map((name) => `\`${name}\``)
    .join(', ')
}
