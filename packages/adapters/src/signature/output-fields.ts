/**
 * Facts about a signature's outputs that are needed to parse a reply. Computed once per signature, because an agent parses a
 * reply in every step.
 */
import { once } from '../once.ts'
import { fieldsOf, mayBeMissing, typeName } from './fields.ts'
import type { Signature } from './signature.ts'

export interface OutputFields {
  /** The name of the output field for tool calls, if there is one. */
  readonly calls: string | undefined
  /** The plain outputs. `isText` is true for a required string, which becomes an empty string if it is missing. */
  readonly plain: readonly { readonly name: string; readonly isText: boolean }[]
  /** True if any plain output has a default. */
  readonly hasDefaults: boolean
}

export const outputFields = once(({ outputs }: Signature): OutputFields => {
  const plain = fieldsOf(outputs, 'value')
  return {
    calls: fieldsOf(outputs, 'tool_calls')[0]?.[0],
    plain: plain.map(([name, schema]) => ({ name, isText: typeName(schema) === 'string' && !mayBeMissing(schema) })),
    hasDefaults: plain.some(([, schema]) => (schema as { default?: unknown }).default !== undefined),
  }
})
