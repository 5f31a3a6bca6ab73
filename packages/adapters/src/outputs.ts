/** A response to the outputs of a signature, with an error for each field that has no right value. */
import type { ToolCall } from '@x/tool-core'
import type { FieldError, Parsed } from './adapter.ts'
import { findFault, MAX_DEPTH } from './arguments/faults.ts'
import { parseArguments } from './arguments/parse.ts'
import { choicesOf, fieldsOf, isOneText, splitSections, typeName } from './fields.ts'
import type { LMResponse, RawToolCall } from './protocol.ts'
import type { OutputsOf, Signature } from './signature.ts'

/**
 * Calls fill the tool-call field; the text fills the others. Beside calls, a text that is missing or does not parse is no
 * error: string fields become empty, others are left out.
 */
export function toOutputs<S extends Signature>(signature: S, response: LMResponse): Parsed<OutputsOf<S>> {
  const errors: FieldError[] = []
  const outputs: Record<string, unknown> = {}
  const callFields = fieldsOf(signature.outputs, 'tool_calls')
  const called = callFields.length > 0 && response.toolCalls.length > 0
  for (const [field] of callFields) outputs[field] = toToolCalls(field, response.toolCalls, errors)
  const textErrors = readTextFields(signature, response.text, outputs)
  if (!called) errors.push(...(response.text.trim() === '' ? [emptyResponse(signature)] : textErrors))
  return { outputs: outputs as OutputsOf<S>, errors, response }
}

function toToolCalls(field: string, calls: readonly RawToolCall[], errors: FieldError[]): ToolCall[] {
  return calls.flatMap((call) => {
    if (call.name === '') {
      errors.push({ code: 'invalid_tool_call', field, call, message: 'The call has no tool name. Make it again with one.' })
      return []
    }
    const parsed = parseArguments(call.arguments, { complete: call.truncated !== true })
    if (parsed.ok) return [{ id: call.id, name: call.name, args: parsed.value }]
    const message = `Invalid arguments for "${call.name}": ${parsed.message}`
    errors.push({ code: 'invalid_tool_call_arguments', field, call, message })
    return []
  })
}

function readTextFields(signature: Signature, text: string, outputs: Record<string, unknown>): FieldError[] {
  const fields = fieldsOf(signature.outputs, 'value')
  const sections = splitSections(text)
  const whole = fields.length === 1 && !sections.has((fields[0] as [string, unknown])[0])
  return fields.flatMap(([field, schema]) => {
    const value = whole ? text.trim() : sections.get(field)
    if (value === undefined || (value === '' && !isOneText(signature))) {
      if (isOptional(schema)) return []
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

/** TypeBox marks a property made by `Type.Optional` so. */
function isOptional(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && '~optional' in schema
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

function emptyResponse(signature: Signature): FieldError {
  const field = Object.keys(signature.outputs)[0] as string
  return { code: 'empty_response', field, message: 'The reply has no text. Write an answer.' }
}
