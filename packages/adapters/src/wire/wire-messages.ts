/** Messages with the names and ids of calls as one API takes them. */
import type { Message, RawToolCall } from '../protocol.ts'
import type { RequestTools } from './request-tools.ts'

type ToWire = (text: string) => string

/** A message that needs no change stays the same object, and so does the changed one from request to request. */
export function toWireMessages(
  messages: readonly Message[],
  { names, changed }: RequestTools,
  toWireId: ToWire = same,
): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== 'tool' && (message.role !== 'assistant' || message.toolCalls === undefined)) return message
    const wire = changed.get(message) ?? toWireMessage(message, names.toWire, toWireId)
    if (wire !== message) changed.set(message, wire)
    return wire
  })
}

function same(text: string): string {
  return text
}

function toWireMessage(message: Message, toName: ToWire, toId: ToWire): Message {
  if (message.role === 'tool') {
    const callId = toId(message.callId)
    const name = toName(message.name)
    return callId === message.callId && name === message.name ? message : { ...message, callId, name }
  }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  const isWire = ({ id, name }: RawToolCall) => toId(id) === id && toName(name) === name
  if (message.toolCalls.every(isWire)) return message
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: toId(call.id), name: toName(call.name) })) }
}
