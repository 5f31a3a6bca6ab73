/** Decides which open calls of a program may run. */
import { isDecided, type OpenCall } from './open-call.ts'

/**
 * Returns the calls that may run now, in call order, at most `limit`. They depend only on the delivered results, so they are the same in a
 * replay. A call that writes or requires approval runs alone.
 */
export function readyCalls(open: Iterable<OpenCall>, limit: number): readonly OpenCall[] {
  const ready: OpenCall[] = []
  let isFirst = true
  for (const call of open) {
    if (call.question !== undefined && !isDecided(call)) continue
    if (call.barrier !== 'none' && !isFirst) break
    isFirst = false
    if (!isDecided(call)) break
    ready.push(call)
    if (call.barrier !== 'none' || ready.length === limit) break
  }
  return ready
}
