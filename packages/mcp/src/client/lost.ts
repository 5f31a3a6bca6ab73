/** Ends of a call that the SDK doesn't report: marks that a response carries as its data, since it passes errors by their data. */

/** The stream of a call ended before the response. */
export const STREAM_ENDED = Object.freeze({ lost: 'stream_ended' })
/** A message was larger than the limit. */
export const TOO_LARGE = Object.freeze({ lost: 'too_large' })
/** A message wasn't part of the protocol. */
export const MALFORMED = Object.freeze({ lost: 'malformed' })

export type Mark = typeof STREAM_ENDED | typeof TOO_LARGE | typeof MALFORMED
