/** Parses the JSON of one event. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

/**
 * Throws `invalid_reply` with the start of a text that isn't JSON. Only the last event may have been truncated by a transient
 * failure.
 */
export function parseEvent(text: string, host: Host, isLast: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `${host.name} sent an event that is not JSON: ${host.quote(text, 80)}`
    throw new LMError('invalid_reply', message, { retryable: isLast })
  }
}
