/** Fields of a signature for tools and tool calls, and a function that distinguishes the kinds of fields. */
import type { Tool as AnyTool, ToolCall } from '@x/tool-core'
import type { TUnsafe } from 'typebox'
import { AdapterError } from '../adapter-error.ts'
import { isMediaField } from './media-fields.ts'

const FIELD = 'x-field'

/** Declares an input field for one tool. Tools of several fields are sent together, in the order of the fields. */
export function Tool(): TUnsafe<AnyTool> {
  return { [FIELD]: 'tool' } as unknown as TUnsafe<AnyTool>
}

/** Declares an input field for a list of tools. The tools are sent as `request.tools` or in the prompt. */
export function Tools(): TUnsafe<readonly AnyTool[]> {
  return { [FIELD]: 'tools' } as unknown as TUnsafe<readonly AnyTool[]>
}

/** Declares the output field for tool calls. The calls are parsed from the response and never executed. */
export function ToolCalls(): TUnsafe<readonly ToolCall[]> {
  return { [FIELD]: 'tool_calls' } as unknown as TUnsafe<readonly ToolCall[]>
}

export type FieldKind = 'tool' | 'tools' | 'tool_calls' | 'media' | 'value'

/** Returns what a field contains: a tool, tools, tool calls, images or files, or a plain value. */
export function fieldKind(field: unknown): FieldKind {
  const kind = typeof field === 'object' && field !== null ? (field as Record<string, unknown>)[FIELD] : undefined
  if (kind === 'tool' || kind === 'tools' || kind === 'tool_calls') return kind
  return isMediaField(field) ? 'media' : 'value'
}

/** Returns true for a field made with `Type.Optional`, which adds TypeBox's mark. */
export function isOptionalField(field: unknown): boolean {
  return typeof field === 'object' && field !== null && '~optional' in field
}

/**
 * Throws `invalid_tool_fields` if an output is for tools or media, if tool calls are an input or in several outputs, or if there
 * are tool calls without tools.
 */
export function assertToolFields(inputs: object, outputs: object): void {
  const [misplaced] = Object.entries(inputs).filter(([, field]) => fieldKind(field) === 'tool_calls')
  if (misplaced !== undefined) throw invalid(misplaced[0], 'is an input, but contains tool calls. Declare it as an output.')
  for (const [name, field] of Object.entries(outputs)) {
    const kind = fieldKind(field)
    if (isToolKind(kind)) throw invalid(name, 'is an output, but contains tools. Declare it as an input.')
    if (kind === 'media') throw invalid(name, 'is an output, but contains images or files. Declare it as an input.')
  }
  const [first, second] = Object.entries(outputs).filter(([, field]) => fieldKind(field) === 'tool_calls')
  if (second !== undefined) throw invalid(second[0], `contains tool calls, and so does "${first?.[0]}". Keep one of them.`)
  if (first === undefined || Object.values(inputs).some((field) => isToolKind(fieldKind(field)))) return
  throw invalid(first[0], 'contains tool calls, but no input contains tools. Add an input: tools: Tools().')
}

export function isToolKind(kind: FieldKind): boolean {
  return kind === 'tool' || kind === 'tools'
}

function invalid(field: string, words: string): AdapterError {
  return new AdapterError('invalid_tool_fields', `defineSignature: "${field}" ${words}`, { field })
}
