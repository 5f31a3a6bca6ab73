/** What was said before a run: messages that may come from a file, checked and put right before anything is sent to a model. */
import type { AssistantMessage, Message, ToolMessage } from '@x/adapters'
import { AgentError } from './errors.ts'
import type { Trajectory } from './trajectory.ts'

/** The messages of earlier runs, as their results hold them, or those alone. */
export type History = Trajectory | readonly Message[]

export interface RepairedHistory {
  readonly messages: readonly Message[]
  /** What was put right, in words. */
  readonly repairs: readonly string[]
}

/**
 * Providers refuse a call without a result and a result without a call: the first is given one that says so, the second is left out.
 * Rejects with `invalid_options` what is no history, and one of another version.
 */
export function readHistory(history: History | undefined): RepairedHistory {
  if (history === undefined) return { messages: [], repairs: [] }
  const messages: unknown = Array.isArray(history) ? history : (history as Trajectory | null)?.messages
  const isKnown = Array.isArray(history) || (history as Trajectory | null)?.version === 1
  if (!isKnown || !Array.isArray(messages)) throw invalid('it has no messages of version 1')
  for (const [index, message] of messages.entries()) if (!isMessage(message)) throw invalid(`message ${index} is none`)
  return repair(messages)
}

/** The ids of all calls that were made. */
export function callIdsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : []))
}

function isMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { role, content, callId, name, toolCalls } = value as Record<string, unknown>
  if (typeof content !== 'string') return false
  if (role === 'tool') return typeof callId === 'string' && typeof name === 'string'
  return (
    role === 'user' ||
    (role === 'assistant' && (toolCalls === undefined || (Array.isArray(toolCalls) && toolCalls.every(isCall))))
  )
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
  let open = new Map<string, string>()
  const answerOpen = () => {
    for (const [id, name] of open) {
      repairs.push(`the call "${id}" had no result`)
      messages.push(noResult(id, name))
    }
    open = new Map()
  }
  for (const message of given) {
    if (message.role === 'tool') {
      if (open.delete(message.callId)) messages.push(message)
      else repairs.push(`the result "${message.callId}" had no call before it`)
      continue
    }
    answerOpen()
    if (message.role !== 'assistant' || message.toolCalls === undefined) {
      messages.push(message)
      continue
    }
    const calls = message.toolCalls.filter(({ id }) => !seen.has(id) && seen.add(id))
    for (const { id } of message.toolCalls.filter((call) => !calls.includes(call)))
      repairs.push(`the call "${id}" was there twice`)
    open = new Map(calls.map(({ id, name }) => [id, name]))
    messages.push(calls.length === message.toolCalls.length ? message : withCalls(message, calls))
  }
  answerOpen()
  return { messages, repairs }
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
  return new AgentError('invalid_options', `run: history is none, as the result of a run holds it: ${reason}.`)
}
