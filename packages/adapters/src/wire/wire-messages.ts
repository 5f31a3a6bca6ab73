/** Converts the tool names and call ids in messages to ones that an API accepts. */
import type { Message, RawToolCall } from '../protocol/protocol.ts'
import type { ToolNames } from '../shaping/names.ts'
import { isUnchanged, type MessageSnapshot, snapshotOf } from './convert-once.ts'

type ToWire = (text: string) => string

interface Change {
  readonly message: Message
  readonly snapshot: MessageSnapshot
}

/**
 * Creates a converter for one wire format. A message that needs no conversion is returned as it is. A converted message is the same
 * object in every request with the same tools.
 */
export function createToWireMessages(
  toWireId: ToWire = (id) => id,
): (messages: readonly Message[], names: ToolNames) => readonly Message[] {
  const byNames = new WeakMap<ToolNames, WeakMap<Message, Change>>()
  return (messages, names) => {
    const changes = byNames.get(names) ?? new WeakMap<Message, Change>()
    byNames.set(names, changes)
    return messages.map((message) => {
      if (message.role !== 'tool' && (message.role !== 'assistant' || message.toolCalls === undefined)) return message
      const known = changes.get(message)
      if (known !== undefined && isUnchanged(message, known.snapshot)) return known.message
      const changed = toWireMessage(message, names.toWire, toWireId)
      if (changed !== message) changes.set(message, { message: changed, snapshot: snapshotOf(message) })
      return changed
    })
  }
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
