/** Reads the plain outputs from an object that the model or a custom adapter returned. */

import { choicesOf, fieldsOf, mayBeMissing, typeName } from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import type { FieldError } from './adapter.ts'
import { invalid, missing, notOneOf, setValue } from './read-sections.ts'
import type { ReadOutputs } from './wording.ts'

/** Reads only declared fields. For an optional field, `null` counts as missing, unless the schema allows null. */
export function readObject(signature: Signature, object: Readonly<Record<string, unknown>>, advice: string): ReadOutputs {
  const values: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const [field, schema] of fieldsOf(signature.outputs, 'value')) {
    const value = Object.hasOwn(object, field) ? object[field] : undefined
    if (value === undefined) {
      if (!mayBeMissing(schema)) errors.push(missing(field, advice))
      continue
    }
    const words = value === null && mayBeMissing(schema) ? undefined : faultOf(value, schema)
    if (words === undefined) setValue(values, field, value)
    else errors.push(invalid(field, words))
  }
  return { values, errors, recovered: [] }
}

function faultOf(value: unknown, schema: unknown): string | undefined {
  const choices = choicesOf(schema)
  if (choices !== undefined) return choices.includes(value as string) ? undefined : notOneOf(choices)
  return typeName(schema) === 'string' && typeof value !== 'string' ? 'must be a string.' : undefined
}
