/** Guards what a reply puts into metadata: what no writer could write again would break the whole conversation. */
import { findFault, MAX_DEPTH } from '@x/tool-core'

/** Whether a value of a provider's JSON can go back to it. */
export function isWritable(value: unknown): boolean {
  return findFault(value, MAX_DEPTH) === undefined
}
