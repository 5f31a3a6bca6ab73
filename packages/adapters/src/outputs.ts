/** A response to the outputs of a signature, with an error for each field that has no right value. */

import { coerceValue, findFault, isToolError, MAX_DEPTH, segmentsOf } from '@x/tool-core'
import type { FieldError, Parsed, RecoveredCall, RecoveredField } from './adapter.ts'
import { isWhole } from './arguments/finish.ts'
import { fieldsOf, mayBeMissing, typeName } from './fields.ts'
import { outputsSchema } from './outputs-schema.ts'
import type { LMResponse } from './protocol.ts'
import { invalid, readSections, setValue } from './read-sections.ts'
import type { OutputsOf, Signature } from './signature.ts'
import { toToolCalls } from './tool-calls.ts'
import type { ReadOutputs, ReadText } from './wording.ts'

/**
 * Calls fill the tool-call field; the text fills the others. String fields that cannot be filled become empty, others are left
 * out. Beside calls, a text that is missing or does not parse is no error.
 */
export function toOutputs<S extends Signature>(
  signature: S,
  response: LMResponse,
  read: ReadText = readSections,
): Parsed<OutputsOf<S>> {
  const errors: FieldError[] = []
  const outputs: Record<string, unknown> = {}
  const callFields = fieldsOf(signature.outputs, 'tool_calls')
  const called = callFields.length > 0 && response.toolCalls.length > 0
  const recovered: RecoveredCall[] = []
  const text = coerce(signature, read(signature, response.text, isWhole(response.finish)))
  for (const [field, schema] of Object.entries(signature.outputs)) {
    if (callFields.some(([name]) => name === field)) setValue(outputs, field, toToolCalls(field, response, errors, recovered))
    else if (Object.hasOwn(text.values, field)) setValue(outputs, field, text.values[field])
    else if (typeName(schema) === 'string' && !mayBeMissing(schema)) setValue(outputs, field, '')
  }
  const [callField] = callFields
  if (callField !== undefined && response.unreadCalls !== undefined) errors.push(unreadCall(callField[0]))
  if (!called) errors.push(...(brokenResponse(signature, response) ?? text.errors))
  return {
    outputs: outputs as OutputsOf<S>,
    errors,
    ...(recovered.length > 0 && { recovered }),
    ...(text.recovered.length > 0 && { recoveredFields: text.recovered }),
    response,
  }
}

/** Each value as its schema asks for it, as the arguments of a call: `"5"` for an integer is 5. */
function coerce(signature: Signature, { values, errors, recovered }: ReadOutputs): ReadOutputs {
  const sound = new Map(Object.entries(values).map(([field, value]) => [field, findFault(value, MAX_DEPTH - 1)]))
  const faults = [...sound].flatMap(([field, fault]) =>
    fault ? [invalid(field, `cannot be used: its contents ${fault.words}.`)] : [],
  )
  const usable = Object.fromEntries(Object.entries(values).filter(([field]) => sound.get(field) === undefined))
  try {
    const coerced = coerceValue(outputsSchema(signature), usable)
    const tags = coerced.tags.map(({ tag, path }): RecoveredField => ({ field: fieldAt(path), tags: [tag] }))
    const issues = coerced.issues.map(({ path, message }) => invalid(fieldAt(path), `cannot be used: it ${message}.`))
    return {
      values: coerced.value as Record<string, unknown>,
      errors: [...errors, ...faults, ...issues],
      recovered: merge([...recovered, ...tags]),
    }
  } catch (error) {
    if (!isToolError(error)) throw error
    const field = Object.keys(signature.outputs)[0] as string
    return { values: {}, errors: [...errors, invalid(field, 'cannot be used: the reply is too large.')], recovered }
  }
}

/** The field that a JSON pointer into the outputs begins with. */
function fieldAt(path: string): string {
  return segmentsOf(path)[0] ?? ''
}

/** One entry for each field. */
function merge(recovered: readonly RecoveredField[]): readonly RecoveredField[] {
  const tags = new Map<string, Set<RecoveredField['tags'][number]>>()
  for (const { field, tags: more } of recovered) tags.set(field, new Set([...(tags.get(field) ?? []), ...more]))
  return [...tags].map(([field, all]) => ({ field, tags: [...all] }))
}

/** What is wrong with the reply as a whole; then its fields say nothing. */
function brokenResponse(signature: Signature, { text, error, refusal, finish }: LMResponse): readonly FieldError[] | undefined {
  const field = Object.keys(signature.outputs)[0] as string
  const isEmpty = text.trim() === ''
  if (error) return [{ code: 'provider_error', field, message: `The provider reported an error: ${error.message}` }]
  if (isEmpty && refusal) return [{ code: 'refused', field, message: `The model refused: ${refusal}` }]
  if (finish === 'content-filter') return [{ code: 'refused', field, message: 'The provider filtered the reply.' }]
  if (finish === 'length')
    return [{ code: 'truncated_output', field, message: 'The reply was cut off at its length limit. Write it again, shorter.' }]
  return isEmpty ? [{ code: 'empty_response', field, message: 'The reply has no text. Write an answer.' }] : undefined
}

function unreadCall(field: string): FieldError {
  const message = 'A tool call in the reply cannot be read: it is cut off or no valid JSON. Write it again.'
  return { code: 'invalid_tool_call', field, message }
}
