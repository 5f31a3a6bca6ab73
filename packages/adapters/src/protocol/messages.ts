/**
 * Converts turns to frozen messages, and recorded results back to observations. All adapters record conversations in this form.
 */
import type { Observation, Turn } from '../adapters/adapter.ts'
import type { AssistantMessage, LMResponse, Message, ToolMessage } from './protocol.ts'

export function toMessages(turn: Turn): Message[] {
  if ('messages' in turn) return turn.messages.map(toFrozen)
  if ('user' in turn) return [toFrozen({ role: 'user', content: turn.user })]
  const messages: Message[] = [toAssistantMessage(turn.response)]
  for (const observation of turn.observations ?? []) messages.push(toToolMessage(observation))
  return messages.map(toFrozen)
}

function toAssistantMessage({ text, toolCalls, reasoning, metadata }: LMResponse): AssistantMessage {
  return {
    role: 'assistant',
    content: text,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(metadata !== undefined && { metadata }),
  }
}

function toToolMessage({ callId, name, ok, text, parts }: Observation): ToolMessage {
  const message = { role: 'tool', callId, name, content: text, ...(parts && { parts }) } as const
  return ok ? message : { ...message, isError: true }
}

/** Returns a copy that can't change, so that a wire format converts it once and never compares it with its earlier state. */
export function toFrozen(message: Message): Message {
  const copy: Message = { ...message }
  Object.freeze(copy)
  return copy
}

/** Converts a recorded result to an observation. */
export function toObservation({ callId, name, content, parts, isError = false }: ToolMessage): Observation {
  return { callId, name, ok: !isError, text: content, ...(parts && { parts }) }
}
