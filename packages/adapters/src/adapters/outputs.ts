/** Parses a response into a signature's outputs. Adds an error for each field without a valid value. */

import { coerceValue, findFault, isToolError, MAX_DEPTH, pointerSegment, segmentsOf } from '@x/tool-core'
import { isWhole } from '../protocol/finish.ts'
import type { LMResponse } from '../protocol/protocol.ts'
import { toSoundResponse } from '../protocol/sound-response.ts'
import { outputFields } from '../signature/output-fields.ts'
import { outputsSchema } from '../signature/outputs-schema.ts'
import type { OutputsOf, Signature } from '../signature/signature.ts'
import type { FieldError, Parsed, RecoveredCall, RecoveredField } from './adapter.ts'
import { invalid, readSections, setValue } from './read-sections.ts'
import { cutOff, toToolCalls } from './tool-calls.ts'
import type { ReadOutputs, ReadText } from './wording.ts'

/**
 * Fills the tool-call field with the calls, and the other fields from the text. A required string without a value becomes empty;
 * any other field without a value is omitted. If there are calls, missing or malformed text isn't an error.
 */
export function toOutputs<S extends Signature>(
  signature: S,
  given: LMResponse,
  read: ReadText = readSections,
): Parsed<OutputsOf<S>> {
  const response = toSoundResponse(given)
  const { calls, plain, hasDefaults } = outputFields(signature)
  const errors: FieldError[] = []
  const outputs: Record<string, unknown> = {}
  const recovered: RecoveredCall[] = []
  const called = calls !== undefined && response.toolCalls.length > 0
  const isSilent = called && response.text === '' && !hasDefaults
  const text = isSilent ? NOTHING : coerce(signature, read(signature, response.text, isWhole(response.finishReason)))
  for (const { name, isText } of plain) {
    if (Object.hasOwn(text.values, name)) setValue(outputs, name, text.values[name])
    else if (isText) setValue(outputs, name, '')
  }
  if (calls !== undefined) setValue(outputs, calls, toToolCalls(calls, response, errors, recovered))
  if (calls !== undefined && response.malformedCalls !== undefined) errors.push(malformedCall(calls))
  if (!called) errors.push(...(brokenResponse(signature, response) ?? text.errors))
  return {
    outputs: outputs as OutputsOf<S>,
    errors,
    ...(recovered.length > 0 && { recovered }),
    ...(text.recovered.length > 0 && { recoveredFields: text.recovered }),
    response,
  }
}

/** Used for a reply with only calls and no text to parse, which is an agent's usual reply. */
const NOTHING: ReadOutputs = { values: {}, errors: [], recovered: [] }

/** Coerces each value to its schema as arguments are coerced: `"5"` becomes 5 for an integer. */
function coerce(signature: Signature, read: ReadOutputs): ReadOutputs {
  const usable: Record<string, unknown> = {}
  const errors = [...read.errors]
  for (const [field, value] of Object.entries(read.values)) {
    const fault = findFault(value, MAX_DEPTH - 1)
    if (fault === undefined) setValue(usable, field, value)
    else errors.push(invalid(field, `cannot be used: its contents ${fault.words}.`))
  }
  const recovered = [...read.recovered]
  try {
    const { value, tags, issues } = coerceValue(outputsSchema(signature), usable)
    for (const { path, message } of issues) {
      const field = fieldAt(path)
      errors.push(invalid(field, `cannot be used: ${path.slice(1 + pointerSegment(field).length) || 'it'} ${message}.`))
    }
    for (const { tag, path } of tags) recovered.push({ field: fieldAt(path), tags: [tag] })
    return { values: value as Record<string, unknown>, errors, recovered: merge(recovered) }
  } catch (error) {
    if (!isToolError(error)) throw error
    const field = Object.keys(signature.outputs)[0] as string
    errors.push({ code: 'invalid_output', field, message: 'The reply is too large. Write a shorter one.' })
    return { values: {}, errors, recovered }
  }
}

/** Returns the name of the field that a JSON pointer into the outputs starts with. */
function fieldAt(path: string): string {
  return segmentsOf(path)[0] ?? ''
}

/** Merges the entries of each field into one, with each tag only once. */
function merge(recovered: readonly RecoveredField[]): readonly RecoveredField[] {
  const merged = new Map<string, RecoveredField>()
  for (const { field, tags } of recovered) {
    const known = merged.get(field)?.tags ?? []
    merged.set(field, { field, tags: [...known, ...tags.filter((tag) => !known.includes(tag))] })
  }
  return [...merged.values()]
}

/** Returns an error about the reply as a whole, which replaces the errors of the fields. Returns undefined if there is none. */
function brokenResponse(signature: Signature, response: LMResponse): readonly FieldError[] | undefined {
  const { text, error, refusal, finishReason } = response
  const field = Object.keys(signature.outputs)[0] as string
  const isEmpty = text.trim() === ''
  if (error) return [{ code: 'provider_error', field, message: `The provider reported an error: ${error.message}` }]
  if (isEmpty && refusal) return [{ code: 'refused', field, message: `The model refused: ${refusal}` }]
  if (finishReason === 'content-filter') return [{ code: 'refused', field, message: 'The provider filtered the reply.' }]
  if (finishReason === 'length')
    return [{ code: 'truncated_output', field, message: `${cutOff(response)} Write a shorter reply.` }]
  return isEmpty ? [{ code: 'empty_response', field, message: 'The reply has no text. Write an answer.' }] : undefined
}

function malformedCall(field: string): FieldError {
  const message =
    'A tool call in the reply could not be parsed: it is truncated or not in the required format. Make the call again.'
  return { code: 'invalid_tool_call', field, message }
}
