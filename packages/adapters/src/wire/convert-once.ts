/** Converts each message and each tool only once, so that a growing conversation converts only its new messages. */
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import { fieldAt } from './read-json.ts'

export type Lose = (loss: Loss) => void

/**
 * Wraps a conversion so that each message is converted once. Results are frozen, because later requests share them. Losses are reported
 * for every request, with the position of the message in that request.
 */
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

/** Wraps a conversion so that each shaped tool is converted once. Results are frozen, because later requests share them. */
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

/**
 * The fields of a message that wire formats write, copied when the message was converted. Used to detect later changes to the message.
 */
export type MessageSnapshot = readonly unknown[]

export function snapshotOf(message: Message): MessageSnapshot {
  return FIELDS.map((field) => fieldAt(message, field))
}

/** True if the fields still have the same values, compared by identity. */
export function isUnchanged(message: Message, snapshot: MessageSnapshot): boolean {
  return FIELDS.every((field, index) => fieldAt(message, field) === snapshot[index])
}

const FIELDS = ['role', 'content', 'parts', 'toolCalls', 'reasoning', 'metadata', 'callId', 'name', 'isError'] as const
