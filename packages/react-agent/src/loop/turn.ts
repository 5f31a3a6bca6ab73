/** A model's turn as the loop works with it: its calls in order, each with its tool or malformed, under ids that the run hasn't seen. */
import {
  type Adapter,
  defineSignature,
  type FieldError,
  fieldKind,
  isOneText,
  type LMResponse,
  type Parsed,
  type RawToolCall,
  type Signature,
  ToolCalls,
  Tools,
} from '@x/adapters'
import type { Tool, ToolCall, ToolMap } from '@x/tool-core'
import type { TSchema } from 'typebox'
import { unusedId } from './history.ts'
import type { CallOutcome } from './outcome.ts'

/** One call of a turn. */
export type TurnCall = ReadCall | MalformedCall

/** A call that was parsed, with the tool that it names. */
export interface ReadCall {
  readonly raw: RawToolCall
  readonly call: ToolCall
  /** Undefined where the turn has no tool of that name. */
  readonly tool: Tool | undefined
  /** It calls a tool that ends the task. */
  readonly isEnding: boolean
}

export interface MalformedCall {
  readonly raw: RawToolCall
  readonly error: FieldError
  readonly isEnding: boolean
}

/** What the calls of a turn may call. */
export interface TurnTools {
  readonly tools: ToolMap
  /** The tools among them that end the task. */
  readonly endingTools: ToolMap
}

export interface ModelTurn {
  /** The response with the ids that the run uses. */
  readonly response: LMResponse
  readonly calls: readonly TurnCall[]
  /** What was meant as a call and could not be read as one at all. */
  readonly unread: readonly FieldError[]
  /** What is wrong with the reply as a whole: it was refused, or cut off. */
  readonly faults: readonly FieldError[]
}

/** A turn whose calls have been answered. */
export interface AnsweredTurn extends ModelTurn {
  readonly outcomes: readonly CallOutcome[]
}

/** Carries the tools in the signature that the loop works with; no field of a task is called so. */
export const TOOLS_FIELD = '~tools'

/** The outputs of the signature that the loop works with. */
export interface ActOutputs {
  readonly thought: string
  readonly tool_calls: readonly ToolCall[]
}

/**
 * Pairs each raw call with its reading and its tool: this is the one place where a tool is looked up by its name. `seen` holds the ids of
 * the run so far and is added to.
 */
export function readTurn(
  { outputs, errors, response }: Parsed<ActOutputs>,
  step: number,
  seen: Set<string>,
  { tools, endingTools }: TurnTools,
): ModelTurn {
  const parsed = outputs.tool_calls ?? []
  let next = 0
  const counted = new Map<string, number>()
  const errorOf = errorsByCall(errors)
  const ids = new Set(response.toolCalls.map(({ id }) => id))
  const inTurn = response.toolCalls.length > 1 ? new Set<string>() : undefined
  const malformed = (raw: RawToolCall, error: FieldError): MalformedCall => ({ raw, error, isEnding: endingTools.has(raw.name) })
  const calls = response.toolCalls.map((raw): TurnCall => {
    const id = idFor(raw.id, step, seen, counted)
    const renamed = id === raw.id ? raw : { ...raw, id }
    const error = errorOf(raw)
    if (error !== undefined) return malformed(renamed, error)
    const value = parsed[next]
    // An adapter may have left this call out: the next one it read belongs to a later call.
    const isLater = value !== undefined && value.id !== raw.id && ids.has(value.id)
    if (value === undefined || isLater) return malformed(renamed, unparsed(renamed))
    next++
    const call = { id, name: value.name, args: value.args }
    // The name as the adapter read it: by it the tool is found, and so is whether it needs approval.
    const named = value.name === renamed.name ? renamed : { ...renamed, name: value.name }
    if (inTurn !== undefined && !isNew(raw, inTurn)) return malformed(named, duplicate(named))
    return { raw: named, call, tool: tools.get(value.name), isEnding: endingTools.has(value.name) }
  })
  const unread = errors.filter(({ code, call }) => code === 'invalid_tool_call' && call === undefined)
  const faults = errors.filter(({ code }) => code === 'refused' || code === 'truncated_output')
  const isAsGiven = calls.every(({ raw }, index) => raw === response.toolCalls[index])
  return { response: isAsGiven ? response : { ...response, toolCalls: calls.map(({ raw }) => raw) }, calls, unread, faults }
}

/** An adapter may return copies of the calls. What is the same to the letter has the same error. */
function errorsByCall(errors: readonly FieldError[]): (call: RawToolCall) => FieldError | undefined {
  if (errors.length === 0) return () => undefined
  // The first error of each.
  const told = errors.toReversed().flatMap((error) => (error.call === undefined ? [] : [{ error, call: error.call }]))
  const own = new Map(told.map(({ call, error }) => [call, error]))
  const same = new Map(told.map(({ call, error }) => [keyOf(call), error]))
  return (call) => own.get(call) ?? same.get(keyOf(call))
}

function keyOf({ id, name, arguments: text }: RawToolCall): string {
  return JSON.stringify([id, name, text])
}

function unparsed(call: RawToolCall): FieldError {
  const message = `The call "${call.name}" could not be read, and was not run. Make it again.`
  return { code: 'invalid_tool_call', field: 'tool_calls', message, call }
}

/** The same call under the same id came twice. One id for different calls is a server's way, and each of them is meant. */
function isNew(call: RawToolCall, seen: Set<string>): boolean {
  const key = keyOf(call)
  return call.id === '' || (!seen.has(key) && seen.add(key) !== undefined)
}

function duplicate(call: RawToolCall): FieldError {
  const message = `This call came twice under one id. It was made once: see the result of the other one.`
  return { code: 'invalid_tool_call', field: 'tool_calls', message, call }
}

/** Text dialects and some servers count from the beginning in every turn. */
function idFor(id: string, step: number, seen: Set<string>, counted: Map<string, number>): string {
  if (id !== '' && !seen.has(id)) {
    seen.add(id)
    return id
  }
  return unusedId(`${id || 'call'}_${step}`, seen, counted, 1)
}

export function actSignature(task: Signature, instructions: readonly string[], { toolCalling }: Adapter): Signature {
  return defineSignature({
    instructions: [task.instructions, ...instructions].filter((words) => words !== '').join('\n\n'),
    inputs: { ...task.inputs, [TOOLS_FIELD]: Tools() },
    outputs: { thought: { type: 'string' } as TSchema, tool_calls: ToolCalls() },
    // In text mode the answer is no turn of the loop: it is asked for when the task is done.
    examples: toolCalling === 'native' ? task.examples?.map((example) => toTurn(example, task)) : undefined,
  } as never)
}

/** An example as the turn that ends such a task: the text, or a call of `submit`. */
function toTurn({ inputs, outputs = {} }: NonNullable<Signature['examples']>[number], task: Signature): object {
  const [text] = Object.keys(task.outputs).filter((name) => fieldKind(task.outputs[name]) === 'value')
  if (isOneText(task)) return { inputs, outputs: { thought: (outputs as Record<string, unknown>)[text as string] } }
  return { inputs, outputs: { tool_calls: [{ id: '', name: 'submit', args: outputs }] } }
}
