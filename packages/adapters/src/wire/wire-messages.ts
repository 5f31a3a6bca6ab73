/** Converts the tool names and call ids in messages to ones that an API accepts. */

import { once } from '../once.ts'
import type { Message, RawToolCall } from '../protocol/protocol.ts'
import type { ToolNames } from '../shaping/names.ts'
import { byList, replaced } from './convert-once.ts'

type ToWire = (text: string) => string

/**
 * Creates a converter for one wire format. A message that needs no conversion is returned as it is. A converted message is the same
 * object in every request with the same tools.
 */
export function createToWireMessages(
  toWireId: ToWire = (id) => id,
): (messages: readonly Message[], names: ToolNames) => readonly Message[] {
  const byNames = once((names: ToolNames) => byList((message: Message) => changed(message, names.toWire, toWireId)))
  return (messages, names) =>
    replaced(
      messages,
      byNames(names)(messages, () => {}),
    )
}

/** Returns a copy with other names and ids. Undefined if nothing would change. */
function changed(message: Message, toName: ToWire, toId: ToWire): Message | undefined {
  if (message.role === 'tool') {
    const callId = toId(message.callId)
    const name = toName(message.name)
    return callId === message.callId && name === message.name ? undefined : { ...message, callId, name }
  }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return undefined
  const isWire = ({ id, name }: RawToolCall) => toId(id) === id && toName(name) === name
  if (message.toolCalls.every(isWire)) return undefined
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: toId(call.id), name: toName(call.name) })) }
}
