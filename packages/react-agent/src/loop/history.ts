/** What was said before a run: messages that may come from a file, checked and put right before anything is sent to a model. */
import type { AssistantMessage, Message, RawToolCall, ToolMessage } from '@x/adapters'
import { withoutReadingOn } from '../calls/large-results.ts'
import { AgentError } from '../errors.ts'
import type { Trajectory } from './result.ts'

/** The messages of earlier runs, as their results hold them, or those alone. */
export type History = Trajectory | readonly Message[]

export interface RepairedHistory {
  readonly messages: readonly Message[]
  /** What was put right, in words. */
  readonly repairs: readonly string[]
}

/**
 * Providers refuse a call without a result and a result without a call: the first is given one that says so, the second is left out.
 * A result that went on by `read_result` says that its rest was not kept.
 * Rejects with `invalid_options` what is no history, and one of another version.
 */
export function readHistory(history: History | undefined): RepairedHistory {
  if (history === undefined) return { messages: [], repairs: [] }
  const messages: unknown = Array.isArray(history) ? history : (history as Trajectory | null)?.messages
  const isKnown = Array.isArray(history) || (history as Trajectory | null)?.version === 1
  if (!isKnown || !Array.isArray(messages)) throw invalid('it has no messages of version 1')
  for (const [index, message] of messages.entries()) {
    const problem = problemOf(message)
    if (problem !== undefined) throw invalid(`message ${index} ${problem}`)
  }
  return repair(messages)
}

/** The ids of all calls that were made. */
export function callIdsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : []))
}

/** What is wrong with a message, in words. */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `is ${value === null ? 'null' : typeof value}`
  const { role, content, callId, name, toolCalls } = value as Record<string, unknown>
  if (role === 'system' || role === 'developer')
    return `has the role "${role}"; leave it out and write its words into the instructions of the signature`
  if (role !== 'user' && role !== 'assistant' && role !== 'tool')
    return `has the role ${JSON.stringify(role)}, and must have "user", "assistant" or "tool"`
  if (typeof content !== 'string') return 'has no `content` that is a text'
  if (role === 'tool')
    return typeof callId === 'string' && typeof name === 'string' ? undefined : 'has no `callId` and `name` of its call'
  if (role === 'user' || toolCalls === undefined) return undefined
  if (!Array.isArray(toolCalls) || !toolCalls.every(isCall)) return 'has `toolCalls` that are no list of { id, name, arguments }'
  return undefined
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
  /** Calls without a result so far: the id that was written, and the call as it is told. */
  let open = new Map<string, { readonly id: string; readonly name: string }>()
  const answerOpen = () => {
    for (const { id, name } of open.values()) {
      repairs.push(`the call "${id}" had no result`)
      messages.push(noResult(id, name))
    }
    open = new Map()
  }
  for (const message of given) {
    if (message.role === 'tool') {
      const call = open.get(message.callId)
      if (call === undefined) repairs.push(`the result "${message.callId}" had no call before it`)
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
        repairs.push(`the call "${call.id}" was there twice in a turn`)
        continue
      }
      const id = unusedId(call.id, seen, counted)
      // Some servers count from the beginning in every turn.
      if (id !== call.id) repairs.push(`the call "${call.id}" is "${id}", since there was one of that id`)
      open.set(call.id, { id, name: call.name })
      calls.push(id === call.id ? call : { ...call, id })
    }
    const isSame = calls.length === message.toolCalls.length && calls.every((call, index) => call === message.toolCalls?.[index])
    messages.push(isSame ? message : withCalls(message, calls))
  }
  answerOpen()
  return { messages, repairs }
}

/** The rest of a long result is kept in its own run alone. */
function resultOf(callId: string, message: ToolMessage, repairs: string[]): ToolMessage {
  const content = withoutReadingOn(message.content)
  const isWhole = content === message.content
  if (!isWhole) repairs.push(`the rest of the result "${message.callId}" was not kept`)
  return isWhole && callId === message.callId ? message : { ...message, callId, content }
}

/**
 * The id, or the next one like it that has not been seen; `seen` is added to. `counted` keeps how far each id was counted: a thousand calls
 * under one id would otherwise be counted from the beginning a thousand times.
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

function noResult(callId: string, name: string): ToolMessage {
  return {
    role: 'tool',
    callId,
    name,
    content: 'Error: No result of this call was recorded. It may have been carried out.',
    isError: true,
  }
}

function invalid(reason: string): AgentError {
  return new AgentError('invalid_options', `run: history is not as the result of a run holds it: ${reason}.`)
}
