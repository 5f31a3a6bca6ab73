/** Converts each message once: a conversation that grows by a turn converts only that turn. */
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { isUnchanged, type MessageSnapshot, snapshotOf } from './message-snapshot.ts'

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
