/** The two modes of a selector: text in named fields, or function calling. */
import { type FieldError, type LMResponse, type Parsed, type RequestOptions, type Signature, ToolCalls, Tools } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'
import type { TProperties, TSchema } from 'typebox'
import { NO_SELECTION } from '../prompts.ts'
import { type DraftDecision, type RejectedCall, type RejectedCode, reject } from './decision.ts'
import { readSelection } from './read-selection.ts'
import type { ToolList } from './tool-list.ts'

export interface SelectionMode {
  readonly signature: Signature
  readonly options: RequestOptions
  inputs(request: string, list: ToolList): object
  /** Reads a reply. If it returns errors, the model is asked again. An invalid call is rejected instead. */
  read(parsed: Parsed<object>, list: ToolList): Parsed<DraftDecision>
}

export interface SelectionForm {
  readonly reasoning: boolean
  /** Included in the prompt. */
  readonly maxTools?: number | undefined
}

/** The prompts of text mode are copied word for word from the project that this module was ported from. */
const INSTRUCTIONS = 'Select appropriate tools based on user request.'
const REQUEST = text("The user's request")
const AVAILABLE_TOOLS = text('Available tools with descriptions in format: tool_name: description')
const REASONING = text('Step-by-step reasoning about which tools to use and why')
const SELECTED_TOOLS = text('Comma-separated list of selected tool names')
const TOOL_ARGUMENTS = text('JSON object mapping tool names to their arguments')

export function textMode({ reasoning, maxTools }: SelectionForm): SelectionMode {
  return {
    signature: {
      instructions: instructionsFor(maxTools),
      inputs: { request: REQUEST, available_tools: AVAILABLE_TOOLS },
      outputs: withReasoning(reasoning, { selected_tools: SELECTED_TOOLS, tool_arguments: TOOL_ARGUMENTS }),
    },
    options: {},
    inputs: (request, { described }) => ({ request, available_tools: described }),
    read({ outputs, errors: found, response }, { tools }) {
      // Both may be empty: selecting nothing is a valid decision.
      const errors = found.filter(({ code, field }) => code !== 'missing_output' || field === 'reasoning')
      const { reasoning: words, selected_tools: selected, tool_arguments: args } = outputs as Record<string, unknown>
      const selection = {
        selectedTools: toText(selected),
        toolArguments: toText(args),
        isWhole: response.finishReason === 'stop',
      }
      const missing = errors.length === 0 && isMissing(selection.selectedTools, response) ? [MISSING] : []
      return {
        outputs: { reasoning: toText(words), ...readSelection(selection, tools) },
        errors: [...errors, ...missing],
        response,
      }
    },
  }
}

export function nativeMode({ reasoning, maxTools }: SelectionForm): SelectionMode {
  return {
    signature: {
      instructions: instructionsFor(maxTools),
      inputs: { request: REQUEST, tools: Tools() },
      outputs: withReasoning(reasoning, { tool_calls: ToolCalls() }),
    },
    options: { toolChoice: 'auto', ...(maxTools === 1 && { parallelToolCalls: false }) },
    inputs: (request, { offered }) => ({ request, tools: offered }),
    read({ outputs, errors, recovered = [], response }) {
      const { reasoning: words, tool_calls: calls } = outputs as { reasoning?: string; tool_calls: readonly ToolCall[] }
      const tagsOf = ({ id }: ToolCall) => recovered.find(({ callId }) => callId === id)?.tags ?? []
      return {
        outputs: {
          // A reasoning model may write only calls, without any text.
          reasoning: reasoning ? words || (response.reasoning ?? '') : '',
          calls: calls.map((call) => ({ ...call, tags: tagsOf(call) })),
          rejected: errors.filter(isOfCall).map((error) => toRejected(error, response)),
        },
        errors: errors.filter((error) => !isOfCall(error)),
        response,
      }
    },
  }
}

function instructionsFor(maxTools: number | undefined): string {
  return maxTools === undefined ? INSTRUCTIONS : `${INSTRUCTIONS} Select at most ${maxTools}.`
}

function withReasoning(reasoning: boolean, outputs: TProperties): TProperties {
  return reasoning ? { reasoning: REASONING, ...outputs } : outputs
}

function text(description: string): TSchema {
  return { type: 'string', description } as TSchema
}

/** Returns the value as text. The adapter may already have parsed it as JSON. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** Returns true if the reply lacks the field. An empty list isn't missing: it is a valid decision. */
function isMissing(selected: string, response: LMResponse): boolean {
  return selected.trim() === '' && !response.text.includes('selected_tools')
}

const MISSING: FieldError = {
  code: 'missing_output',
  field: 'selected_tools',
  message: NO_SELECTION,
}

const OF_CALLS: ReadonlySet<string> = new Set<RejectedCode>(['invalid_tool_call', 'invalid_tool_call_arguments'])

function isOfCall({ code }: FieldError): boolean {
  return OF_CALLS.has(code)
}

function toRejected({ code, message, call }: FieldError, { malformedCalls }: LMResponse): RejectedCall {
  return reject(code as RejectedCode, call?.name ?? '', message, call === undefined ? malformedCalls?.[0] : call.arguments)
}
