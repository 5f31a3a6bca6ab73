/** Converts each message once: a conversation that grows by a turn converts only that turn. */
import type { Message } from '../protocol.ts'
import type { Loss } from '../shaping/loss.ts'

export type Lose = (loss: Loss) => void

/** A conversion that is made once per message; what it loses is told each time, with the place of the message in the request. */
export function byMessage<One extends Message, Value>(
  convert: (message: One, lose: Lose) => Value,
): (message: One, index: number, lose: Lose) => Value {
  const known = new WeakMap<One, { readonly value: Value; readonly losses: readonly Loss[] }>()
  return (message, index, lose) => {
    let conversion = known.get(message)
    if (conversion === undefined) {
      const losses: Loss[] = []
      conversion = { value: convert(message, (loss) => losses.push(loss)), losses }
      known.set(message, conversion)
    }
    for (const loss of conversion.losses) lose({ ...loss, path: `/messages/${index}${loss.path}` })
    return conversion.value
  }
}
