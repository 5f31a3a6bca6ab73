/** Reads the plain outputs from text with markers. Parses each value according to its schema. */

import { recoverJson } from '../arguments/recover.ts'
import { choicesOf, fieldsOf, isOneText, marker, mayBeMissing, typeName } from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import type { FieldError, RecoveredField } from './adapter.ts'
import { splitSections } from './sections.ts'
import type { ReadOutputs } from './wording.ts'

/** Reads each field under its marker. Without markers, the whole text is the value of the only field. */
export function readSections(signature: Signature, text: string, isComplete: boolean | undefined): ReadOutputs {
  const values: Record<string, unknown> = {}
  const errors: FieldError[] = []
  const recovered: RecoveredField[] = []
  const fields = fieldsOf(signature.outputs, 'value')
  const sections = splitSections(
    text,
    fields.map(([field]) => field),
  )
  for (const [field, schema] of fields) {
    const whole = { text: text.trim(), isLast: true }
    const section = sections.get(field) ?? (fields.length === 1 ? whole : undefined)
    if (section === undefined || (section.text === '' && !isOneText(signature))) {
      if (!mayBeMissing(schema)) errors.push(missing(field, `Write it under ${marker(field)}.`))
      continue
    }
    const read = readValue(field, schema, section.text, section.isLast ? isComplete : true)
    if ('code' in read) errors.push(read)
    else setValue(values, field, read.value)
    if ('tags' in read && read.tags.length > 0) recovered.push({ field, tags: read.tags })
  }
  return { values, errors, recovered }
}

type ReadValue = { readonly value: unknown; readonly tags: RecoveredField['tags'] } | FieldError

function readValue(field: string, schema: unknown, text: string, isComplete: boolean | undefined): ReadValue {
  const choices = choicesOf(schema)
  if (choices !== undefined) return readChoice(field, text, choices, mayBeMissing(schema))
  if (typeName(schema) === 'string') return { value: text, tags: [] }
  const read = recoverJson(text, { complete: isComplete })
  if (!read.ok) return invalid(field, 'is not valid JSON. Write its value as JSON.')
  if (read.tags.includes('missing_close') && isComplete !== true) return invalid(field, 'is truncated. Write it again in full.')
  return { value: read.value, tags: read.tags }
}

/** Reads one of the choices, written as plain text or as a JSON string. An optional one may also be `null`. */
function readChoice(field: string, text: string, choices: readonly string[], isOptional: boolean): ReadValue {
  const value = choices.find((candidate) => text === candidate || text === JSON.stringify(candidate))
  if (value === undefined && isOptional && text === 'null') return { value: null, tags: [] }
  return value === undefined ? invalid(field, notOneOf(choices)) : { value, tags: [] }
}

export function notOneOf(choices: readonly string[]): string {
  return `is not one of: ${choices.join(', ')}. Write one of them.`
}

export function missing(field: string, advice: string): FieldError {
  return { code: 'missing_output', field, message: `The field "${field}" is missing. ${advice}` }
}

export function invalid(field: string, words: string): FieldError {
  return { code: 'invalid_output', field, message: `The field "${field}" ${words}` }
}

/** Sets an own property, even if its name is `__proto__`. */
export function setValue(values: Record<string, unknown>, field: string, value: unknown): void {
  // Only this name needs `defineProperty`, which is ten times slower.
  if (field !== '__proto__') values[field] = value
  else Object.defineProperty(values, field, { value, enumerable: true, configurable: true, writable: true })
}
