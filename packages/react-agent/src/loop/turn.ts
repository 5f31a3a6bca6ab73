/** A model's turn in the form that the loop needs: calls in order with unique ids, each with its tool or error. */
import type { FieldError, LMResponse, Parsed, RawToolCall } from '@x/adapters'
import type { Tool, ToolCall, ToolMap } from '@x/tool-core'
import { goneToolOf, type RecordedTools } from '../calls/gone-tool.ts'
import { CALL_TOOL, DUPLICATE_CALL, unparsedCall } from '../prompts.ts'
import { unwrapCall } from '../tools/call-tool.ts'
import type { ActOutputs } from './act-signature.ts'
import { unusedId } from './history.ts'
import type { CallOutcome } from './outcome.ts'

/** One call of a turn. */
export type TurnCall = ReadCall | MalformedCall

/** A call that was parsed, with the tool that it names. */
export interface ReadCall extends WrittenAs {
  readonly raw: RawToolCall
  readonly call: ToolCall
  /** Undefined if no tool has that name in this turn. */
  readonly tool: Tool | undefined
  /** True for a call to a tool that ends the task. */
  readonly isEnding: boolean
  /** Token of the execution that recorded the intent to run the call. Undefined if the intent isn't recorded yet. */
  readonly token?: string | undefined
  /** For a call by a program: true if the call could have effects when it was made. */
  readonly mayWrite?: boolean | undefined
  /**
   * True if the tool requires approval now, but didn't when the call was made. Such a call isn't executed. If it was executed earlier, it
   * has its recorded outcome.
   */
  readonly isUnasked?: boolean | undefined
  /** True for a call that is known to have an outcome. */
  readonly hasEnded?: boolean | undefined
}

export interface MalformedCall extends WrittenAs {
  readonly raw: RawToolCall
  readonly error: FieldError
  readonly isEnding: boolean
}

interface WrittenAs {
  /** The call to `call_tool` that contains the call. Undefined for a direct call. */
  readonly written?: RawToolCall | undefined
}

/** The tools that a turn may call. */
export interface TurnTools {
  readonly tools: ToolMap
  /** The tools among them that end the task. */
  readonly endingTools: ToolMap
  /** True if the model calls tools with `call_tool`. */
  readonly hasCallTool: boolean
  readonly recorded?: RecordedTools | undefined
}

export interface ModelTurn {
  /** The response as the model wrote it, with the ids that the run uses. */
  readonly response: LMResponse
  readonly calls: readonly TurnCall[]
  /** Malformed calls that couldn't be parsed at all. They aren't among `calls`. */
  readonly malformed: readonly FieldError[]
  /** Errors of the reply as a whole: it was refused or truncated. */
  readonly faults: readonly FieldError[]
}

/** A turn whose calls have all been answered. */
export interface AnsweredTurn extends ModelTurn {
  readonly outcomes: readonly CallOutcome[]
}

/**
 * Pairs each raw call with its parsed call and its tool. A call to `call_tool` becomes the call that it contains. Tools are looked up by name
 * only here, except that a resumed run also looks up the tools of its earlier and pending calls, to check them. `seen` contains the ids of the
 * run so far; `readTurn` adds to it.
 */
export function readTurn(
  { outputs, errors, response }: Parsed<ActOutputs>,
  step: number,
  seen: Set<string>,
  { tools, endingTools, hasCallTool, recorded }: TurnTools,
): ModelTurn {
  const parsed = outputs.tool_calls ?? []
  let next = 0
  const counted = new Map<string, number>()
  const errorOf = errorsByCall(errors)
  let ids: Set<string> | undefined
  const isIdOfTurn = (id: string): boolean => {
    ids ??= new Set(response.toolCalls.map((raw) => raw.id))
    return ids.has(id)
  }
  const inTurn = response.toolCalls.length > 1 ? new Set<string>() : undefined
  const toMalformed = (raw: RawToolCall, error: FieldError): MalformedCall => ({
    raw,
    error,
    isEnding: endingTools.has(raw.name),
  })
  const calls = response.toolCalls.map((raw): TurnCall => {
    const id = idFor(raw.id, step, seen, counted, (other) => seen.has(other) || isIdOfTurn(other))
    const renamed = id === raw.id ? raw : { ...raw, id }
    const error = errorOf(raw)
    if (error !== undefined) return toMalformed(renamed, error)
    const value = parsed[next]
    // If the adapter left this call out, the next parsed call belongs to a later one.
    const isLater = value !== undefined && value.id !== raw.id && isIdOfTurn(value.id)
    if (value === undefined || isLater) return toMalformed(renamed, faultOf(renamed, unparsedCall(renamed.name)))
    next++
    const call = { id, name: value.name, args: value.args }
    // The name in the parsed call determines which tool runs and whether it requires approval.
    const named = value.name === renamed.name ? renamed : { ...renamed, name: value.name }
    if (inTurn !== undefined && !isNew(raw, inTurn)) return toMalformed(named, faultOf(named, DUPLICATE_CALL))
    const toolOf = (own: RawToolCall, name = own.name) => tools.get(name) ?? goneToolOf(own, name, recorded)
    if (!hasCallTool || value.name !== CALL_TOOL)
      return { raw: named, call, tool: toolOf(raw, value.name), isEnding: endingTools.has(value.name) }
    const inner = unwrapCall(named, value.args)
    const { raw: own } = inner
    const isEnding = endingTools.has(own.name)
    if (inner.error !== undefined) return { raw: own, error: inner.error, isEnding, written: named }
    return { raw: own, call: inner.call, tool: toolOf(own), isEnding, written: named }
  })
  const malformed = errors.filter(({ code, call }) => code === 'invalid_tool_call' && call === undefined)
  const faults = errors.filter(({ code }) => code === 'refused' || code === 'truncated_output')
  const toolCalls = calls.map(writtenOf)
  const isAsGiven = toolCalls.every((raw, index) => raw === response.toolCalls[index])
  return { response: isAsGiven ? response : { ...response, toolCalls }, calls, malformed, faults }
}

function writtenOf({ raw, written }: TurnCall): RawToolCall {
  return written ?? raw
}

/** Returns a function that finds a call's error: by identity, or else by content, because an adapter may return copies of the calls. */
export function errorsByCall(errors: readonly FieldError[]): (call: RawToolCall) => FieldError | undefined {
  if (errors.length === 0) return () => undefined
  const own = new Map<RawToolCall, FieldError>()
  const same = new Map<string, FieldError>()
  for (const error of errors) {
    const { call } = error
    if (call === undefined) continue
    // The first error of each call wins.
    if (!own.has(call)) own.set(call, error)
    if (!same.has(keyOf(call))) same.set(keyOf(call), error)
  }
  return (call) => own.get(call) ?? same.get(keyOf(call))
}

function keyOf({ id, name, arguments: text }: RawToolCall): string {
  return JSON.stringify([id, name, text])
}

function faultOf(call: RawToolCall, message: string): FieldError {
  return { code: 'invalid_tool_call', field: 'tool_calls', message, call }
}

/**
 * Returns false if the turn already contains the same call with the same id. Some servers use one id for different calls, which are all
 * run.
 */
function isNew(call: RawToolCall, seen: Set<string>): boolean {
  const key = keyOf(call)
  return call.id === '' || (!seen.has(key) && seen.add(key) !== undefined)
}

/**
 * Returns a unique id for a call, because text dialects and some servers restart their ids in every turn. The id can't equal that of a call
 * inside another call.
 */
function idFor(
  given: string,
  step: number,
  seen: Set<string>,
  counted: Map<string, number>,
  isOther: (id: string) => boolean,
): string {
  // A paused run uses the ids as keys, and would be refused with the key `__proto__`.
  const plain = given === '__proto__' ? '' : given
  const id = isInside(plain, isOther) ? plain.replaceAll('.', '_') : plain
  if (id !== '' && !seen.has(id)) {
    seen.add(id)
    return id
  }
  return unusedId(`${id || 'call'}_${step}`, seen, counted, 1)
}

/** Returns true for an id such as `a.1` if there is a call `a`, because a call made by its tool may have that id. */
function isInside(id: string, isOther: (id: string) => boolean): boolean {
  for (let end = id.indexOf('.'); end !== -1; end = id.indexOf('.', end + 1)) if (isOther(id.slice(0, end))) return true
  return false
}
