/** What the provider's reason for ending says about how whole a reply is. */
import type { FinishReason } from './protocol.ts'

/** True: the text is whole. False: it was cut off. Undefined: the reason does not tell. */
export function isWhole(finishReason: FinishReason | undefined): boolean | undefined {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return true
  return finishReason === undefined || finishReason === 'other' ? undefined : false
}

/** Whether a reply that ended for this reason may stop in the middle of a call. */
export function isCutBy(finishReason: FinishReason | undefined): boolean {
  return isWhole(finishReason) === false
}
