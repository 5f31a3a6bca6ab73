/** Skips a malformed item of a list, so that later items can be read. */
import type { BlockContext } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'

/**
 * Skips the rest of the item that starts `start` characters after the mark. Returns false if its brackets don't show where it
 * ends. The text that follows may then be part of it.
 */
export function* skipBrokenItem({ input }: BlockContext, start: number, stops?: MarkerSet): Reading<boolean> {
  const scanner = new JsonScanner(stops?.firstUnits)
  const read = input.peekMarked(start)
  for (let at = 0; at < read.length; scanner.pass()) {
    const end = scanner.push(read, at)
    if (end < 0) break
    if (scanner.stoppedAt !== 'stop') return false
    at = end
  }
  for (;;) {
    if (!(yield* input.scan(scanner))) return false
    if (scanner.stoppedAt === 'nothing') return false
    if (scanner.stoppedAt === undefined) break
    if (stops !== undefined && (yield* input.peek(stops)) !== undefined) return true
    scanner.pass()
  }
  yield* input.skipSpace()
  const next = yield* input.peek()
  return next === '' || MAY_FOLLOW.includes(next) || (stops !== undefined && (yield* input.peek(stops)) !== undefined)
}

const MAY_FOLLOW = ',;]{'
