/** The JSON of one event. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'

/** Throws `invalid_reply` with the beginning of a text that is no JSON. Only the last one may have been cut off by a failure that passes. */
export function parseEvent(text: string, host: Host, isLast: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `${host.name} sent an event that is not JSON: ${host.quote(text, 80)}`
    throw new LMError('invalid_reply', message, { retryable: isLast })
  }
}
