/** Converts each message and each tool only once, so that a growing conversation converts only its new messages. */
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ShapedTool } from '../shaping/shape.ts'

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
      conversion = { value, losses, snapshot: { ...message } }
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
  return once(convert)
}

/** Wraps a function so that it is called once for each key. Results are frozen. */
export function once<Key extends object, Value>(convert: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = Object.freeze(convert(key))
      known.set(key, value)
    }
    return value
  }
}

/** A copy of a message when it was converted. Used to detect later changes to the message. */
type MessageSnapshot = Partial<Record<Field, unknown>>

/** The fields that wire formats write. */
type Field = 'role' | 'content' | 'parts' | 'toolCalls' | 'reasoning' | 'metadata' | 'callId' | 'name' | 'isError'

/** True if the fields still have the same values, compared by identity. */
function isUnchanged(now: MessageSnapshot, then: MessageSnapshot): boolean {
  // A loop over the names would take three times as long.
  return (
    now.role === then.role &&
    now.content === then.content &&
    now.parts === then.parts &&
    now.toolCalls === then.toolCalls &&
    now.reasoning === then.reasoning &&
    now.metadata === then.metadata &&
    now.callId === then.callId &&
    now.name === then.name &&
    now.isError === then.isError
  )
}
