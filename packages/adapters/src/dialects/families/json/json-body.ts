/**
 * Reads arguments as one JSON object, in a dialect that has a tag for each argument. Models that were trained on both forms mix
 * them up.
 */
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { takeFence, takeFenceEnd } from './code-fence.ts'
import { readJsonArguments } from './json-arguments.ts'
import { endBlock, JSON_CALL } from './json-block.ts'
import { type JsonOutcome, readJsonCalls } from './json-calls.ts'

export interface JsonBodyMarks {
  /** Markers that end the object, even if it is incomplete. */
  readonly stops: MarkerSet
  /** The end tag of the call, optionally after white space. */
  readonly end: MarkerSet<'close'>
  /**
   * Tags of further arguments. The object should contain all arguments, so a call with such a tag after the object is malformed.
   */
  readonly more?: MarkerSet | undefined
}

/**
 * Reads the JSON that follows a call's name, starting at its brace or at the code fence around it. If `name` is empty, the JSON
 * contains whole calls with their names.
 */
export function* readJsonBody(context: BlockContext, name: string, { stops, end, more }: JsonBodyMarks): Reading<BlockOutcome> {
  const { input, calls } = context
  const endedBefore = calls.ended
  const outcome = yield* name === '' ? readCallsInFence(context, stops) : readJsonArguments(context, { name }, stops)
  if (outcome === 'text' && !calls.isOpen) {
    yield* input.match(end)
    return 'text'
  }
  const isRead = calls.isOpen ? calls.isWhole : outcome === 'done' && calls.ended > endedBefore
  if (!isRead && outcome === 'cut') return 'cut'
  yield* input.skipSpace()
  const isWhole = isRead && (more === undefined || (yield* input.peek(more)) === undefined)
  const read = isWhole ? yield* endBlock(context, end) : 'malformed'
  if (read !== 'malformed') return read
  // Consumes the rest of the block, because a malformed block is reported as a whole.
  yield* input.before(stops, () => {})
  yield* input.match(end)
  return read
}

function* readCallsInFence(context: BlockContext, stops: MarkerSet): Reading<JsonOutcome> {
  const { input, calls } = context
  const isFenced = yield* takeFence(input)
  const outcome = yield* readJsonCalls(context, { ...JSON_CALL, stops })
  if (isFenced && (yield* takeFenceEnd(input)) && calls.isOpen) calls.tag('repaired')
  return outcome
}
