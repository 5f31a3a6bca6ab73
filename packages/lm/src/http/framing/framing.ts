/** The contract of a framing: the bytes of a streamed reply come in any pieces, its events go out. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

export interface FrameReader {
  /**
   * The parsed events that these bytes complete, to be read to their end before the next bytes. Throws an `LMError`
   * `invalid_reply` at what is no event, after those before it.
   */
  push(bytes: Uint8Array): Iterable<unknown>
  /** The body is over: an event that lacks nothing but its end is one. */
  end(): Iterable<unknown>
  /** The host has said that nothing follows. */
  readonly isDone: boolean
}

/** Waits at most for the import of what the framing needs. */
export type CreateFrameReader = (host: Host, maxEventLength?: number) => FrameReader | Promise<FrameReader>

/** An event longer than this is no event: 64 Mi bytes or UTF-16 units. */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/** Throws `invalid_reply` with the beginning of a text that is no JSON. Only the last one may have been cut off by a failure that passes. */
export function parseEvent(text: string, host: Host, isLast: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `${host.name} sent an event that is not JSON: ${host.quote(text, 80)}`
    throw new LMError('invalid_reply', message, { retryable: isLast })
  }
}
