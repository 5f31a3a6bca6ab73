/** What was said before a run: a trajectory that may come from a file, checked before anything is sent to a model. */
import type { Message } from '@x/adapters'
import { AgentError } from './errors.ts'
import type { Trajectory } from './trajectory.ts'

/** Rejects with `invalid_options` what is no trajectory, one of another version, and one whose calls lack their results. */
export function messagesOf(trajectory: Trajectory | undefined): readonly Message[] {
  if (trajectory === undefined) return []
  if (trajectory?.version !== 1 || !Array.isArray(trajectory.messages)) throw invalid('it has no messages of version 1')
  const messages: readonly unknown[] = trajectory.messages
  for (const [index, message] of messages.entries()) if (!isMessage(message)) throw invalid(`message ${index} is none`)
  assertAnswered(trajectory.messages)
  return trajectory.messages
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

/** Providers refuse a call without a result, and a result without a call. */
function assertAnswered(messages: readonly Message[]): void {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) throw invalid(`the result "${message.callId}" has no call before it`)
      continue
    }
    assertNone(open)
    open = new Set(callIdsOf([message]))
  }
  assertNone(open)
}

function assertNone(open: ReadonlySet<string>): void {
  for (const id of open) throw invalid(`the call "${id}" has no result after it`)
}

function invalid(reason: string): AgentError {
  return new AgentError('invalid_options', `run: after is no trajectory, as the result of a run holds it: ${reason}.`)
}
