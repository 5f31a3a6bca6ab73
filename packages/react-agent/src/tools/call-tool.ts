/** The tool `call_tool`, which lets a model call the tools that it found by search. The list of offered tools therefore never changes. */
import type { FieldError, FieldErrorCode, RawToolCall } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import type { Tool, ToolCall } from '@x/tool-core'
import { isRecord } from '../json.ts'
import {
  CALL_TOOL,
  CALL_TOOL_ARGUMENTS,
  CALL_TOOL_DESCRIPTION,
  CALL_TOOL_FORM,
  CALL_TOOL_NAME,
  invalidArguments,
} from '../prompts.ts'
import { define } from './define.ts'

let offered: Tool | undefined

/**
 * Returns the tool as it is offered to the model. It never runs: `unwrapCall` replaces each of its calls. Defined when the first agent searches,
 * because the definition takes longer than anything else in the import of the package.
 */
export function callToolTool(): Tool {
  offered ??= define({
    name: CALL_TOOL,
    description: CALL_TOOL_DESCRIPTION,
    args: {
      type: 'object',
      properties: {
        name: { type: 'string', description: CALL_TOOL_NAME },
        arguments: { type: 'object', description: CALL_TOOL_ARGUMENTS },
      },
      required: ['name', 'arguments'],
    },
    effect: 'read',
    execute: () => CALL_TOOL_FORM,
  })
  return offered
}

/** The call inside a call to `call_tool`, or an error if it doesn't contain one. */
export type Unwrapped =
  | { readonly raw: RawToolCall; readonly call: ToolCall; readonly error?: undefined }
  | { readonly raw: RawToolCall; readonly error: FieldError }

/** Returns the call inside a call to `call_tool`. It keeps the id. `args` are the parsed arguments of `raw`. */
export function unwrapCall(raw: RawToolCall, args: ToolCall['args']): Unwrapped {
  const { name, arguments: given = {}, ...others } = args
  if (typeof name !== 'string' || name === '' || name === CALL_TOOL || Object.keys(others).length > 0)
    return { raw, error: toError(raw, 'invalid_tool_call', CALL_TOOL_FORM) }
  const inner = { ...raw, name, arguments: typeof given === 'string' ? given : (JSON.stringify(given) ?? '') }
  if (isRecord(given)) return { raw: inner, call: { id: raw.id, name, args: given } }
  const parsed = parseArguments(inner.arguments, { complete: true })
  if (parsed.ok) return { raw: inner, call: { id: raw.id, name, args: parsed.value } }
  return { raw: inner, error: toError(inner, 'invalid_tool_call_arguments', invalidArguments(name, parsed.message)) }
}

/** Returns the call inside a recorded call to `call_tool`. Returns any other call unchanged. */
export function innerCall(raw: RawToolCall): RawToolCall {
  if (raw.name !== CALL_TOOL) return raw
  const parsed = parseArguments(raw.arguments, { complete: true })
  return parsed.ok ? unwrapCall(raw, parsed.value).raw : raw
}

/** An argument that is complete while the call is still streamed. */
export interface StreamedArgument extends CompleteValue {
  readonly name: string
}

export interface CompleteValue {
  readonly pointer: string
  readonly value: unknown
}

/** Returns a function that converts the streamed arguments of a call to `call_tool` to arguments of the call inside it. */
export function innerArguments(): (argument: CompleteValue) => readonly StreamedArgument[] {
  let name: string | undefined
  /** Complete arguments that are held back until the name is complete. */
  const waiting: StreamedArgument[] = []
  return ({ pointer, value }) => {
    if (pointer === '/name' && typeof value === 'string') name = value
    else if (pointer.startsWith(ARGUMENTS)) waiting.push({ name: '', pointer: pointer.slice(ARGUMENTS.length - 1), value })
    if (name === undefined) return []
    const known: StreamedArgument[] = []
    for (const argument of waiting.splice(0)) known.push({ name, pointer: argument.pointer, value: argument.value })
    return known
  }
}

const ARGUMENTS = '/arguments/'

function toError(call: RawToolCall, code: FieldErrorCode, message: string): FieldError {
  return { code, field: 'tool_calls', message, call }
}
