/** What the provider's reason for ending says about the end of a call's arguments. */
import type { Finish } from '../protocol/protocol.ts'

/** True: the text is whole. False: it was cut off. Undefined: the reason does not tell. */
export function isWhole(finish: Finish | undefined): boolean | undefined {
  if (finish === 'stop' || finish === 'tool-calls') return true
  return finish === undefined || finish === 'other' ? undefined : false
}
