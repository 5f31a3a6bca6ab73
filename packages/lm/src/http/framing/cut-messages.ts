/** Splits bytes into length-prefixed messages, as in AWS event streams. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

export interface Cutter {
  /** Yields the messages that these bytes complete. Throws `invalid_reply` for an impossible length. */
  push(bytes: Uint8Array): Iterable<Uint8Array>
  /** True if the bytes so far end inside a message. */
  readonly isInside: boolean
}

/** Length of the shortest message in bytes: two lengths and two checksums of four bytes each. */
const SHORTEST = 16
const LENGTH_BYTES = 4

/** Creates a cutter. It copies each byte only once, however the bytes are split. */
export function createCutter(host: Host, longest: number): Cutter {
  // Holds the four bytes of the length first, and then the whole message.
  let message = new Uint8Array(LENGTH_BYTES)
  let filled = 0
  function* push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let start = 0; start < bytes.length; ) {
      const part = bytes.subarray(start, start + message.length - filled)
      message.set(part, filled)
      filled += part.length
      start += part.length
      if (filled < message.length) return
      if (filled > LENGTH_BYTES) {
        const whole = message
        message = new Uint8Array(LENGTH_BYTES)
        filled = 0
        yield whole
      } else message = grown(message)
    }
  }
  function grown(first: Uint8Array): Uint8Array<ArrayBuffer> {
    const length = new DataView(first.buffer).getUint32(0)
    if (length < SHORTEST || length > longest)
      throw new LMError(
        'invalid_reply',
        `${host.name} sent a message of ${length} bytes, which is not valid in an AWS event stream.`,
      )
    const room = new Uint8Array(length)
    room.set(first)
    return room
  }
  return {
    push,
    get isInside() {
      return filled > 0
    },
  }
}
