/**
 * What parsing a reply needs to know about a signature's outputs. Computed once per signature, because an agent parses a reply in each
 * step.
 */
import { fieldsOf, mayBeMissing, typeName } from './fields.ts'
import type { Signature } from './signature.ts'

export interface OutputFields {
  /** The name of the output field for tool calls. */
  readonly calls: string | undefined
  /** The plain outputs. `isText` marks required strings: if such an output is missing, it is an empty string. */
  readonly plain: readonly { readonly name: string; readonly isText: boolean }[]
  /** True if any plain output has a default. */
  readonly hasDefaults: boolean
}

const known = new WeakMap<Signature, OutputFields>()

export function outputFields(signature: Signature): OutputFields {
  const fields = known.get(signature) ?? toOutputFields(signature)
  known.set(signature, fields)
  return fields
}

function toOutputFields({ outputs }: Signature): OutputFields {
  const plain = fieldsOf(outputs, 'value')
  return {
    calls: fieldsOf(outputs, 'tool_calls')[0]?.[0],
    plain: plain.map(([name, schema]) => ({ name, isText: typeName(schema) === 'string' && !mayBeMissing(schema) })),
    hasDefaults: plain.some(([, schema]) => (schema as { default?: unknown }).default !== undefined),
  }
}
