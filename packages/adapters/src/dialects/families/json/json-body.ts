/** Arguments as one JSON object where a dialect has a tag for each of them: models that were taught both mix them up. */
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { takeFence, takeFenceEnd } from './code-fence.ts'
import { readJsonArguments } from './json-arguments.ts'
import { endBlock, JSON_CALL } from './json-block.ts'
import { type JsonOutcome, readJsonCalls } from './json-calls.ts'

export interface JsonBodyMarks {
  /** What ends the object, whatever it lacks. */
  readonly stops: MarkerSet
  /** The end tag of the call, with white space before it. */
  readonly end: MarkerSet<'close'>
  /** Tags of more arguments: behind an object that holds all of them, it doesn't. */
  readonly more?: MarkerSet | undefined
}

/** From the brace on, or the fence around it, behind the name of the call; without a name, the object is a call of its own. */
export function* readJsonBody(context: BlockContext, name: string, { stops, end, more }: JsonBodyMarks): Reading<BlockOutcome> {
  const { input, calls } = context
  const told = calls.ended
  const outcome = yield* name === '' ? readCallsInFence(context, stops) : readJsonArguments(context, { name }, stops)
  if (outcome === 'text' && !calls.isOpen) {
    yield* input.match(end)
    return 'text'
  }
  const isRead = calls.isOpen ? calls.isWhole : outcome === 'done' && calls.ended > told
  if (!isRead && outcome === 'cut') return 'cut'
  yield* input.skipSpace()
  const isWhole = isRead && (more === undefined || (yield* input.sees(more)) === undefined)
  const read = isWhole ? yield* endBlock(context, end) : 'malformed'
  if (read !== 'malformed') return read
  // A block that can't be read is one as a whole.
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
