/** Converts each message and each tool only once, so that a growing conversation converts only its new messages. */
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'

export type Lose = (loss: Loss) => void

/**
 * Wraps a conversion so that each message is converted once. Results are frozen, because later requests share them. Losses are reported
 * for every request, with the position of the message in that request.
 */
export function byMessage<One extends Message, Value>(
  convert: (message: One, lose: Lose) => Value,
): (message: One, index: number, lose: Lose) => Value {
  const known = new WeakMap<One, Conversion<One, Value>>()
  return (message, index, lose) => {
    const last = known.get(message)
    const conversion = currentOf(last, message, convert)
    if (conversion !== last) known.set(message, conversion)
    return reported(conversion, index, lose)
  }
}

/** Like `byMessage`, for the lists of a growing conversation. It has one cache entry for a conversation: by the first message. */
export function byList<One extends Message, Value>(
  convert: (message: One, lose: Lose) => Value,
): (messages: readonly One[], lose: Lose) => Value[] {
  const known = new WeakMap<One, Conversion<One, Value>[]>()
  return (messages, lose) => {
    const [first] = messages
    if (first === undefined) return []
    const conversions = known.get(first) ?? []
    known.set(first, conversions)
    conversions.length = Math.min(conversions.length, messages.length)
    return messages.map((message, index) => {
      const conversion = currentOf(conversions[index], message, convert)
      conversions[index] = conversion
      return reported(conversion, index, lose)
    })
  }
}

/** Returns the messages with those that `byList` converted to another message. */
export function replaced(messages: readonly Message[], by: readonly (Message | undefined)[]): readonly Message[] {
  return by.some((message) => message !== undefined) ? messages.map((message, index) => by[index] ?? message) : messages
}

interface Conversion<One extends Message, Value> {
  readonly message: One
  readonly value: Value
  readonly losses: readonly Loss[]
  /** A copy of the message, which may change later. Undefined for a frozen message. */
  readonly snapshot: One | undefined
}

/** Returns the last conversion if the message hasn't changed since, and a new one otherwise. */
function currentOf<One extends Message, Value>(
  last: Conversion<One, Value> | undefined,
  message: One,
  convert: (message: One, lose: Lose) => Value,
): Conversion<One, Value> {
  if (last?.message === message && (last.snapshot === undefined || isUnchanged(message, last.snapshot))) return last
  const losses: Loss[] = []
  const value = Object.freeze(convert(message, (loss) => losses.push(loss)))
  return { message, value, losses, snapshot: Object.isFrozen(message) ? undefined : { ...message } }
}

function reported<Value>({ value, losses }: Conversion<Message, Value>, index: number, lose: Lose): Value {
  for (const loss of losses) lose({ ...loss, path: `/messages/${index}${loss.path}` })
  return value
}

/** True if the members of the message still have the same values, compared by identity. */
function isUnchanged(message: Message, snapshot: Message): boolean {
  const then = Object.entries(snapshot)
  return then.length === Object.keys(message).length && then.every(([name, value]) => message[name as keyof Message] === value)
}
