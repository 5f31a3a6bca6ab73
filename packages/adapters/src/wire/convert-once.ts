/** Converts each message and each tool once: a conversation that grows by a turn converts only that turn. */
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import { fieldAt } from './read-json.ts'

export type Lose = (loss: Loss) => void

/** A conversion that is made once per message, and frozen, since later requests hold it too. What it loses is told each time, with the place of the message in the request. */
export function byMessage<One extends Message, Value>(
  convert: (message: One, lose: Lose) => Value,
): (message: One, index: number, lose: Lose) => Value {
  const known = new WeakMap<One, Conversion<Value>>()
  return (message, index, lose) => {
    let conversion = known.get(message)
    if (conversion === undefined || !isUnchanged(message, conversion.snapshot)) {
      const losses: Loss[] = []
      const value = Object.freeze(convert(message, (loss) => losses.push(loss)))
      conversion = { value, losses, snapshot: snapshotOf(message) }
      known.set(message, conversion)
    }
    for (const loss of conversion.losses) lose({ ...loss, path: `/messages/${index}${loss.path}` })
    return conversion.value
  }
}

interface Conversion<Value> {
  readonly value: Value
  readonly losses: readonly Loss[]
  readonly snapshot: MessageSnapshot
}

/** A conversion of a shaped tool to the API's own form, made once, and frozen, since later requests hold it too. */
export function byTool<Value>(convert: (tool: ShapedTool) => Value): (tool: ShapedTool) => Value {
  const known = new WeakMap<ShapedTool, Value>()
  return (tool) => {
    let value = known.get(tool)
    if (value === undefined) {
      value = Object.freeze(convert(tool))
      known.set(tool, value)
    }
    return value
  }
}

/** The fields of a message that wire formats write, as they were when it was converted: programs change messages that are only read here. */
export type MessageSnapshot = readonly unknown[]

export function snapshotOf(message: Message): MessageSnapshot {
  return FIELDS.map((field) => fieldAt(message, field))
}

/** Values of the fields are compared by identity. */
export function isUnchanged(message: Message, snapshot: MessageSnapshot): boolean {
  return FIELDS.every((field, index) => fieldAt(message, field) === snapshot[index])
}

const FIELDS = ['role', 'content', 'parts', 'toolCalls', 'reasoning', 'metadata', 'callId', 'name', 'isError'] as const
