/** Derives from a finish reason whether a reply is complete. */
import type { FinishReason } from './protocol.ts'

/** Returns true if the text is complete, false if it was truncated, and undefined if the reason doesn't show which. */
export function isWhole(finishReason: FinishReason | undefined): boolean | undefined {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return true
  return finishReason === undefined || finishReason === 'other' ? undefined : false
}

/** True if a reply with this finish reason may end in the middle of a call. */
export function isCutBy(finishReason: FinishReason | undefined): boolean {
  return isWhole(finishReason) === false
}
