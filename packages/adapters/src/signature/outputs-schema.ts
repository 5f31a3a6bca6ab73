/** The plain outputs of a signature as one object schema. */
import { fieldsOf, mayBeMissing } from './fields.ts'
import type { Signature } from './signature.ts'

/** Plain data. */
export interface OutputsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly [keyword: string]: unknown
}

const schemas = new WeakMap<Signature, OutputsSchema>()

/**
 * What `parse` gives, as a JSON schema, without calls. A field that is optional or has a default need not be there. The same object
 * for the same signature, so that what is prepared from it is prepared once.
 */
export function outputsSchema(signature: Signature): OutputsSchema {
  const known = schemas.get(signature) ?? toSchema(signature)
  schemas.set(signature, known)
  return known
}

function toSchema(signature: Signature): OutputsSchema {
  const fields = fieldsOf(signature.outputs, 'value')
  const required = fields.filter(([, schema]) => !mayBeMissing(schema)).map(([name]) => name)
  return { type: 'object', properties: Object.fromEntries(fields), required }
}
