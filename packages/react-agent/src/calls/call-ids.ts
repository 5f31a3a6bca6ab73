/** Builds idempotency keys from call ids. */

/**
 * Returns `runId/callId`. A model may choose the id of a call. Slashes in the id are escaped, so that the key can't equal that of a call
 * inside another call. Characters that a header or a file name can't contain are escaped too.
 */
export function idempotencyKeyOf(runId: string, callId: string): string {
  return `${runId}/${escapeId(callId)}`
}

export function escapeId(callId: string): string {
  return callId.replace(/[^\w.:@+=~-]|^\.+$/g, (text) => text.replace(/./gs, escapeUnit))
}

function escapeUnit(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
