/** Defines signatures, from fields or from a string, and validates them. */
import { assertSound, foreignVendorOf, readSchema, takesUndefined, withoutDraft } from '@x/tool-core'
import type { TProperties, TSchema } from 'typebox'
import { isRecord } from '../is-record.ts'
import { assertExamples } from './examples.ts'
import type { Signature, SignatureExample } from './signature.ts'
import { parseSignature } from './signature-string.ts'
import type { CheckedFields, FieldValues, InputsIn, OutputsIn, SignatureIn } from './signature-types.ts'
import { assertToolFields } from './tool-fields.ts'

export interface TextSignatureOptions<Text extends string> {
  /** Instructions for the model. Default: a sentence with the names of the fields. */
  instructions?: string | undefined
  examples?: readonly SignatureExample<InputsIn<Text>, OutputsIn<Text>>[] | undefined
}

export interface DefineSignature {
  /** Defines a signature from a string. */
  <const Text extends string>(text: Text, options?: TextSignatureOptions<Text>): SignatureIn<Text>
  /** Defines a signature from its fields. */
  <In extends TProperties, Out extends TProperties>(signature: {
    instructions: string
    inputs: CheckedFields<In>
    outputs: CheckedFields<Out>
    examples?: readonly SignatureExample<FieldValues<In>, FieldValues<Out>>[] | undefined
  }): Signature<FieldValues<In>, FieldValues<Out>>
}

/**
 * Defines a signature from its fields, or from a string: `'question, context: string[] -> answer, score?: number'`. The model
 * reads a field's `description`. Schemas may come from TypeBox, zod, arktype, valibot with `toStandardJsonSchema`, or
 * `jsonSchema`. Values are validated by the schema's own library but not transformed. Throws a TypeError if there are no outputs,
 * a field has no JSON Schema, the string can't be parsed, or an example doesn't match. Throws `AdapterError` for inconsistent
 * tool fields, and `ToolError` for a schema that no validator accepts.
 */
// A cast instead of overloads. Checking generic overloads against their implementation costs as many types as the rest of this
// file.
export const defineSignature = toSignature as unknown as DefineSignature

function toSignature(declared: string | Signature, options: AnyOptions = {}): Signature {
  if (typeof declared !== 'string' && !isRecord(declared)) throw new TypeError(NO_SIGNATURE)
  return readSignature(typeof declared === 'string' ? fromText(declared, options) : declared)
}

/** Validates a signature that was written by hand. Converts its fields and throws like `defineSignature`. */
export function readSignature(declared: Signature): Signature {
  const signature = withOwnFields(declared)
  if (Object.keys(signature.outputs).length === 0)
    throw new TypeError('defineSignature: outputs is empty. Declare at least one output field.')
  assertToolFields(signature.inputs, signature.outputs)
  assertExamples(signature)
  return signature
}

/** Returns the signature with all fields as JSON Schema, or the same object if no field had to be converted. */
function withOwnFields(signature: Signature): Signature {
  const inputs = toOwnFields(signature.inputs, 'inputs')
  const outputs = toOwnFields(signature.outputs, 'outputs')
  return inputs === signature.inputs && outputs === signature.outputs ? signature : { ...signature, inputs, outputs }
}

function toOwnFields(fields: TProperties, place: 'inputs' | 'outputs'): TProperties {
  const vendor = foreignVendorOf(fields)
  if (vendor !== undefined || !isRecord(fields)) {
    const what = vendor === undefined ? 'is not an object of fields' : `is a schema from ${vendor}, not an object of fields`
    throw new TypeError(`defineSignature: ${place} ${what}. Write { name: schema }, e.g. { question: Type.String() }.`)
  }
  const own = Object.entries(fields).map(([name, given]): [string, TSchema] => {
    const { schema, fault } = readSchema(given)
    if (fault !== undefined) throw new TypeError(`defineSignature: ${place}.${name} ${fault}`)
    if (schema !== given) return [name, toOwnField(schema)]
    assertSound(schema, 'defineSignature', `${place}.${name}`)
    return [name, given]
  })
  return own.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(own)
}

/** Copies a converted schema. Marks it as optional if its library accepts `undefined`. */
function toOwnField(converted: object): TSchema {
  const field = withoutDraft(converted)
  return takesUndefined(converted) ? Object.defineProperty(field, '~optional', { value: true }) : field
}

const NO_SIGNATURE =
  "defineSignature: pass a string, such as 'question -> answer', or { instructions, inputs, outputs }, where inputs and outputs are objects of fields."

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
