/** The messages before a run. They may come from a file, so they are checked and repaired before anything is sent to a model. */
import { type AssistantMessage, type Message, type RawToolCall, type ToolMessage, toContent } from '@x/adapters'
import { readContent } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { NO_RESULT, withoutReadingOn } from '../prompts.ts'
import type { Trajectory } from './result.ts'

/** Earlier runs: the `trajectory` of a result, or its messages. */
export type History = Trajectory | readonly Message[]

export interface RepairedHistory {
  readonly messages: readonly Message[]
  /** A description of each repair. */
  readonly repairs: readonly string[]
}

/**
 * Checks and repairs a history, because providers reject calls without results and results without calls. A call without a result gets a
 * placeholder result, and a result without a call is dropped. If a long result was read only in part, a note states that the rest is no
 * longer available. Throws `invalid_options` for anything other than messages, and for another format version.
 */
export function readHistory(history: History | undefined): RepairedHistory {
  if (history === undefined) return { messages: [], repairs: [] }
  const messages: unknown = Array.isArray(history) ? history : (history as Trajectory | null)?.messages
  const isKnown = Array.isArray(history) || (history as Trajectory | null)?.version === 1
  if (!isKnown || !Array.isArray(messages)) throw invalid('it has no messages in format version 1')
  for (const [index, message] of messages.entries()) {
    const problem = problemOf(message)
    if (problem !== undefined) throw invalid(`message ${index} ${problem}`)
  }
  return repair(messages)
}

/** Returns the ids of all calls in these messages. */
export function callIdsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : []))
}

/** Describes the fault of a message. */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `is ${value === null ? 'null' : typeof value}`
  const { role, content, parts, callId, name, toolCalls } = value as Record<string, unknown>
  if (role === 'system' || role === 'developer')
    return `has the role "${role}"; leave it out and move its text to the instructions of the signature`
  if (role !== 'user' && role !== 'assistant' && role !== 'tool')
    return `has the role ${JSON.stringify(role)}, but must have "user", "assistant" or "tool"`
  if (typeof content !== 'string') return 'must have a string as `content`'
  if (parts !== undefined && !areParts(parts)) return 'must have a list of content parts as `parts`'
  if (role === 'tool')
    return typeof callId === 'string' && typeof name === 'string' ? undefined : 'must have the `callId` and `name` of its call'
  if (role === 'user' || toolCalls === undefined) return undefined
  if (!Array.isArray(toolCalls) || !toolCalls.every(isCall)) return 'must have a list of { id, name, arguments } as `toolCalls`'
  return undefined
}

/** Returns true for content parts that can be sent. The list may be empty. */
export function areParts(value: unknown): boolean {
  try {
    return Array.isArray(value) && (value.length === 0 || readContent(value) !== undefined)
  } catch {
    return false
  }
}

function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, arguments: text } = value as Record<string, unknown>
  return [id, name, text].every((part) => typeof part === 'string')
}

function repair(given: readonly Message[]): RepairedHistory {
  const messages: Message[] = []
  const repairs: string[] = []
  const seen = new Set<string>()
  const counted = new Map<string, number>()
  /** Calls that have no result yet, by their original id. */
  let open = new Map<string, { readonly id: string; readonly name: string }>()
  const answerOpen = () => {
    for (const { id, name } of open.values()) {
      repairs.push(`the call "${id}" had no result`)
      messages.push({ role: 'tool', callId: id, name, content: NO_RESULT, isError: true })
    }
    open = new Map()
  }
  for (const message of given) {
    if (message.role === 'tool') {
      const call = open.get(message.callId)
      if (call === undefined) repairs.push(`the result of the call "${message.callId}" had no call before it`)
      else messages.push(resultOf(call.id, message, repairs))
      open.delete(message.callId)
      continue
    }
    answerOpen()
    if (message.role !== 'assistant' || message.toolCalls === undefined) {
      messages.push(message)
      continue
    }
    const calls: RawToolCall[] = []
    for (const call of message.toolCalls) {
      if (open.has(call.id)) {
        repairs.push(`the call "${call.id}" appeared twice in a turn`)
        continue
      }
      const id = unusedId(call.id, seen, counted)
      // Some servers restart their ids in every turn.
      if (id !== call.id) repairs.push(`the call "${call.id}" was renamed to "${id}", because its id was already in use`)
      open.set(call.id, { id, name: call.name })
      calls.push(id === call.id ? call : { ...call, id })
    }
    const isSame = calls.length === message.toolCalls.length && calls.every((call, index) => call === message.toolCalls?.[index])
    messages.push(isSame ? message : withCalls(message, calls))
  }
  answerOpen()
  return { messages, repairs }
}

/**
 * Returns the message for a result. Only the run that produced a long result keeps the rest of it, so the note on how to read more is
 * rewritten.
 */
function resultOf(callId: string, message: ToolMessage, repairs: string[]): ToolMessage {
  const own = withoutRest(message)
  if (own !== message) repairs.push(`the rest of the long result of the call "${message.callId}" is no longer available`)
  return callId === message.callId ? own : { ...own, callId }
}

/** Replaces the note on how to read more with one that the rest is no longer available. Returns a message without the note unchanged. */
function withoutRest(message: ToolMessage): ToolMessage {
  const { content, parts } = message
  if (parts === undefined) {
    const whole = withoutReadingOn(content)
    return whole === content ? message : { ...message, content: whole }
  }
  const own = parts.map((part) => {
    const text = part.type === 'text' ? withoutReadingOn(part.text) : ''
    return part.type === 'text' && text !== part.text ? { ...part, text } : part
  })
  return own.every((part, index) => part === parts[index]) ? message : { ...message, ...toContent(own) }
}

/**
 * Returns the id, or the id with a number that makes it unique, and adds it to `seen`. `counted` keeps the next number for each id, so that
 * many calls with the same id take linear time.
 */
export function unusedId(id: string, seen: Set<string>, counted: Map<string, number>, first = 2): string {
  let unused = id
  let copy = counted.get(id) ?? first
  while (seen.has(unused)) unused = `${id}_${copy++}`
  counted.set(id, copy)
  seen.add(unused)
  return unused
}

function withCalls({ toolCalls, ...message }: AssistantMessage, calls: AssistantMessage['toolCalls']): AssistantMessage {
  return calls === undefined || calls.length === 0 ? message : { ...message, toolCalls: calls }
}

function invalid(reason: string): AgentError {
  return new AgentError(
    'invalid_options',
    `run: history is invalid: ${reason}. Pass the trajectory of an earlier result, or its messages.`,
  )
}
