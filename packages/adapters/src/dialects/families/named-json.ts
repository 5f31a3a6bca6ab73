/** Reads a call whose name has been read, and whose arguments follow as JSON. */
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import { JsonScanner } from '../engine/json-scanner.ts'
import type { MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'
import { endBlock } from './json-block.ts'
import { scanValue } from './json-calls.ts'

export interface NamedJson {
  readonly name: string
  /** Outside of strings, the arguments end before one of these, whatever they lack. */
  readonly stops: MarkerSet
  readonly end: MarkerSet<'close'>
}

/** To the end of the block. Arguments may be missing only where the end marker stands in their place. */
export function* readNamedJson(context: BlockContext, { name, stops, end }: NamedJson): Reading<BlockOutcome> {
  const { input, calls, tools, policy } = context
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  yield* input.skipSpace()
  const first = yield* input.peek()
  if (first === '') return 'cut'
  if (first !== '{') {
    if (policy.missingArguments === 'unread' || (yield* input.sees(end)) === undefined) return 'text'
    calls.start({ name })
    calls.write('{}')
  } else {
    const scanner = new JsonScanner(stops.firstUnits)
    calls.start({ name, closing: () => scanner.closing })
    const outcome = yield* scanValue(context, { stops }, scanner, (text) => calls.write(text))
    if (outcome === 'cut') return 'cut'
    if (outcome === 'broken') {
      calls.write(scanner.closing)
      calls.tag('mended')
    }
  }
  calls.isWhole = true
  return yield* endBlock(context, end)
}
