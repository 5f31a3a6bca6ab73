/** Determines from the finish reason whether a reply is complete. */
import type { FinishReason } from './protocol.ts'

/** Returns true if the text is complete, false if it was truncated, and undefined if the finish reason says neither. */
export function isWhole(finishReason: FinishReason | undefined): boolean | undefined {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return true
  return finishReason === undefined || finishReason === 'other' ? undefined : false
}

/** Returns true if a reply with this finish reason may end inside a call. */
export function isCutBy(finishReason: FinishReason | undefined): boolean {
  return isWhole(finishReason) === false
}
