/** What a finish reason implies about whether a reply is complete. */
import type { Finish } from './protocol.ts'

/** True if the text is complete, false if it was truncated, undefined if the reason doesn't decide it. */
export function isWhole(finish: Finish | undefined): boolean | undefined {
  if (finish === 'stop' || finish === 'tool-calls') return true
  return finish === undefined || finish === 'other' ? undefined : false
}

/** Whether a reply with this finish reason may end in the middle of a call. */
export function isCutBy(finish: Finish | undefined): boolean {
  return isWhole(finish) === false
}
