/**
 * Marks for calls that ended in a way that the SDK doesn't report. A mark is sent as the `data` of an error response, because the
 * SDK passes `data` on unchanged.
 */

/** The stream of a call ended before the response. */
export const STREAM_ENDED = Object.freeze({ lost: 'stream_ended' })
/** A message exceeded the size limit. */
export const TOO_LARGE = Object.freeze({ lost: 'too_large' })
/** A message didn't conform to the protocol. */
export const MALFORMED = Object.freeze({ lost: 'malformed' })

export type Mark = typeof STREAM_ENDED | typeof TOO_LARGE | typeof MALFORMED
