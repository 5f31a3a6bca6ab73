/** A response to the outputs of a signature, with an error for each field that has no right value. */

import { findFault, MAX_DEPTH } from '@x/tool-core'
import type { FieldError, Parsed, RecoveredCall } from './adapter.ts'
import { choicesOf, fieldsOf, isOneText, splitSections, typeName } from './fields.ts'
import type { LMResponse } from './protocol.ts'
import { isOptionalField, type OutputsOf, type Signature } from './signature.ts'
import { toToolCalls } from './tool-calls.ts'

/**
 * Calls fill the tool-call field; the text fills the others. Beside calls, a text that is missing or does not parse is no
 * error: string fields become empty, others are left out.
 */
export function toOutputs<S extends Signature>(signature: S, response: LMResponse): Parsed<OutputsOf<S>> {
  const errors: FieldError[] = []
  const outputs: Record<string, unknown> = {}
  const callFields = fieldsOf(signature.outputs, 'tool_calls')
  const called = callFields.length > 0 && response.toolCalls.length > 0
  const recovered: RecoveredCall[] = []
  for (const [field] of callFields) outputs[field] = toToolCalls(field, response, errors, recovered)
  const textErrors = readTextFields(signature, response.text, outputs)
  const [callField] = callFields
  if (callField !== undefined && response.unreadCalls !== undefined) errors.push(unreadCall(callField[0]))
  if (!called) errors.push(...(brokenResponse(signature, response) ?? textErrors))
  return { outputs: outputs as OutputsOf<S>, errors, ...(recovered.length > 0 && { recovered }), response }
}

function readTextFields(signature: Signature, text: string, outputs: Record<string, unknown>): FieldError[] {
  const fields = fieldsOf(signature.outputs, 'value')
  const sections = splitSections(text)
  const whole = fields.length === 1 && !sections.has((fields[0] as [string, unknown])[0])
  return fields.flatMap(([field, schema]) => {
    const value = whole ? text.trim() : sections.get(field)
    if (value === undefined || (value === '' && !isOneText(signature))) {
      if (isOptionalField(schema)) return []
      if (typeName(schema) === 'string') outputs[field] = ''
      return [{ code: 'missing_output', field, message: `The field "${field}" is missing. Write it under [[ ## ${field} ## ]].` }]
    }
    const choices = choicesOf(schema)
    if (choices !== undefined) return readChoice(field, value, choices, outputs)
    if (typeName(schema) === 'string') {
      outputs[field] = value
      return []
    }
    return readJson(field, value, outputs)
  })
}

/** The bare text, or the same as a JSON string. */
function readChoice(field: string, value: string, choices: readonly string[], outputs: Record<string, unknown>): FieldError[] {
  const choice = choices.find((candidate) => value === candidate || value === JSON.stringify(candidate))
  if (choice === undefined) return [invalid(field, `is not one of: ${choices.join(', ')}. Write one of them.`)]
  outputs[field] = choice
  return []
}

function readJson(field: string, text: string, outputs: Record<string, unknown>): FieldError[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [invalid(field, 'is not valid JSON. Write its value as JSON.')]
  }
  const fault = findFault(value, MAX_DEPTH)
  if (fault !== undefined) return [invalid(field, `cannot be used: its contents ${fault.words}.`)]
  outputs[field] = value
  return []
}

function invalid(field: string, words: string): FieldError {
  return { code: 'invalid_output', field, message: `The field "${field}" ${words}` }
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
