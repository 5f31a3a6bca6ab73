/** Contract for a framing: takes the bytes of a streamed reply in pieces and yields its events. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

export interface FrameReader {
  /**
   * Yields the parsed events that these bytes complete. Consume them before the next call. Throws `invalid_reply` for invalid
   * data, after the events before it.
   */
  push(bytes: Uint8Array): Iterable<unknown>
  /** Ends the body. Yields the last event if only its terminator is missing. */
  end(): Iterable<unknown>
  /** True once the host marked the end. */
  readonly isDone: boolean
}

/** Creates a reader. Asynchronous only to import an optional package. */
export type CreateFrameReader = (host: Host, maxEventLength?: number) => FrameReader | Promise<FrameReader>

/** Maximum length of an event: 64 Mi bytes or UTF-16 units. */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/**
 * Parses an event. Throws `invalid_reply` with the start of text that isn't JSON. A retry may help only for the last event, which may be
 * truncated.
 */
export function parseEvent(text: string, host: Host, isLast: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `${host.name} sent an event that is not JSON: ${host.quote(text, 80)}`
    throw new LMError('invalid_reply', message, { retryable: isLast })
  }
}
