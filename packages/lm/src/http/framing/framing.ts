/** The interface of a framing. A framing receives the bytes of a streamed reply in pieces and yields events. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

export interface FrameReader {
  /**
   * Yields the events that these bytes complete, parsed. Consume them before the next call. For invalid data, yields the events
   * before it and then throws `invalid_reply`.
   */
  push(bytes: Uint8Array): Iterable<unknown>
  /** Ends the body. Yields the last event if only its terminator is missing. */
  end(): Iterable<unknown>
  /** True once the host has sent its end marker. */
  readonly isDone: boolean
}

/** Creates a reader. Returns a promise only if an optional package must be imported. */
export type CreateFrameReader = (host: Host, maxEventLength?: number) => FrameReader | Promise<FrameReader>

/** Maximum length of an event, in bytes or UTF-16 code units. */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/**
 * Parses an event. Throws `invalid_reply` with the start of the text if it isn't JSON. This is retryable only for the last event,
 * which may be truncated.
 */
export function parseEvent(text: string, host: Host, isLast: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `${host.name} sent an event that is not JSON: ${host.quote(text, 80)}`
    throw new LMError('invalid_reply', message, { retryable: isLast })
  }
}
