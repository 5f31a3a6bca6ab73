/** The contract of a framing, which receives the bytes of a streamed reply in pieces and yields events. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

export interface FrameReader {
  /**
   * Yields the parsed events that are complete with these bytes. Consume them before the next call. If the data is invalid, yields the
   * events before it and then throws `invalid_reply`.
   */
  push(bytes: Uint8Array): Iterable<unknown>
  /** Ends the body. Yields the last event if it lacks only its terminator. */
  end(): Iterable<unknown>
  /** True after the host has marked the end. */
  readonly isDone: boolean
}

/** Creates a reader. It's asynchronous only if it has to import an optional package. */
export type CreateFrameReader = (host: Host, maxEventLength?: number) => FrameReader | Promise<FrameReader>

/** Maximum length of an event, in bytes or UTF-16 units. */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/**
 * Parses an event. For text that isn't JSON, throws `invalid_reply` with the start of the text. A retry may help only for the last event,
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
