/** Builds idempotency keys from call ids. */

/**
 * Returns `runId/callId`. A model may choose the id of a call. Slashes in the id are escaped, so that the key can't equal that of a call
 * inside another call. Characters that a header or a file name can't contain are escaped too.
 */
export function idempotencyKeyOf(runId: string, callId: string): string {
  return `${runId}/${escapeId(callId)}`
}

function escapeId(callId: string): string {
  return callId.replace(/[^\w.:@+=~-]|^\.+$/g, (text) => text.replace(/./gs, escapeUnit))
}

/**
 * Returns the prefix of keys inside a call. The id is escaped, because a model may choose it, and the keys must not equal those of a call
 * inside another call.
 */
export function nestedPrefix(callId: string): string {
  return `nested-${escapeId(callId)}/`
}

function escapeUnit(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
