/** The JSON Schema of an object that contains the plain outputs of a signature. */
import { once } from '../once.ts'
import { fieldsOf, mayBeMissing } from './fields.ts'
import type { Signature } from './signature.ts'

export interface OutputsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly [keyword: string]: unknown
}

/**
 * Returns a JSON Schema for the outputs that `parse` returns. Calls aren't included. Fields that are optional or have a default aren't
 * required. Returns the same object for the same signature, so that a validator compiles it only once.
 */
export const outputsSchema = once(({ outputs }: Signature): OutputsSchema => {
  const fields = fieldsOf(outputs, 'value')
  const required = fields.filter(([, schema]) => !mayBeMissing(schema)).map(([name]) => name)
  return { type: 'object', properties: Object.fromEntries(fields), required }
})
