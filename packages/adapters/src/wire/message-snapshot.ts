/** Whether a message still says what it said when it was converted: programs do change what is only read here. */
import type { Message } from '../protocol/protocol.ts'
import { fieldAt } from './read-json.ts'

export type MessageSnapshot = readonly unknown[]

/** The fields that wire formats write, in this order; what they hold is told apart as objects. */
export function snapshotOf(message: Message): MessageSnapshot {
  return FIELDS.map((field) => fieldAt(message, field))
}

export function isUnchanged(message: Message, snapshot: MessageSnapshot): boolean {
  return FIELDS.every((field, index) => fieldAt(message, field) === snapshot[index])
}

const FIELDS = ['role', 'content', 'parts', 'toolCalls', 'reasoning', 'metadata', 'callId', 'name', 'isError'] as const
