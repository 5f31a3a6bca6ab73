/** What the provider's reason for ending says about how whole a reply is. */
import type { Finish } from './protocol.ts'

/** True: the text is whole. False: it was cut off. Undefined: the reason does not tell. */
export function isWhole(finish: Finish | undefined): boolean | undefined {
  if (finish === 'stop' || finish === 'tool-calls') return true
  return finish === undefined || finish === 'other' ? undefined : false
}

/** Whether a reply that ended for this reason may stop in the middle of a call. */
export function isCutBy(finish: Finish | undefined): boolean {
  return isWhole(finish) === false
}
