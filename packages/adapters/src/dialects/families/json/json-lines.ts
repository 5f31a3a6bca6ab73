/** Reads a block that has one JSON call per line. Reports a malformed line and continues with the next one. */
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import { afterSpace, loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import { isSpace, type Reading } from '../../engine/text-input.ts'
import { finishBlock, JSON_CALL } from './json-block.ts'
import { readJsonCalls } from './json-calls.ts'

export interface JsonLinesOptions {
  readonly open: Marker
  readonly close: Marker
}

export function jsonLines({ open, close }: JsonLinesOptions): BlockDefinition {
  // A line without its last bracket or quote ends where the next line starts.
  const next = [loose('{ "name" :'), '\n{"name"', '\n{"arguments"']
  const shape = { ...JSON_CALL, stops: new MarkerSet({ open, close, next }) }
  const end = new MarkerSet({ close: afterSpace(close) })
  const lineEnds = new MarkerSet({ line: '\n', open, close })
  return {
    open,
    inside: close,
    *read(context) {
      const { input, calls } = context
      for (let isFirst = true; ; isFirst = false) {
        yield* input.takeWhile(isBetween)
        const isObject = (yield* input.peek()) === '{'
        if (isObject) {
          endOpen(context, input.marked)
          const outcome = yield* readJsonCalls(context, shape)
          if (outcome === 'cut') return yield* finishBlock(context, outcome, calls.ended, end)
          if (outcome === 'text' || (calls.isOpen && calls.isWhole)) continue
        } else if (input.isAtEnd || (yield* input.peek(end)) !== undefined) {
          const last = isFirst ? 'done' : 'text'
          return yield* finishBlock(context, calls.isOpen || input.isAtEnd ? 'cut' : last, calls.ended, end)
        }
        const bad = yield* readBadLine(context, isObject ? 0 : input.marked, lineEnds, end)
        if (bad !== 'next') return isFirst && !isObject ? 'text' : bad
      }
    },
  }
}

function isBetween(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x3b
}

const BEHIND_LINE = /\n[ \t]*$/

/** Ends the open call, so that text after it can't invalidate it. */
function endOpen({ input, calls }: BlockContext, start: number): void {
  if (!calls.isOpen) return
  calls.end()
  input.moveMark(start)
}

/** Reads the rest of a malformed line. `start` is the start of the line, in code units after the mark. */
function* readBadLine(
  context: BlockContext,
  start: number,
  lineEnds: MarkerSet,
  end: MarkerSet<'close'>,
): Reading<BlockOutcome | 'next'> {
  const { input } = context
  // If the line ended too early, the reader is already at the next one.
  const isBehindLine = (yield* input.peek()) === '{' && BEHIND_LINE.test(input.peekMarked(start))
  if (!isBehindLine) yield* input.before(lineEnds, () => {})
  yield* input.takeWhile(isBetween)
  const isNext = (yield* input.peek()) === '{'
  if (!isNext && (yield* input.peek(end)) === undefined) return 'malformed'
  if (start > 0) endOpen(context, start)
  if (isNext) {
    leaveMalformed(context)
    return 'next'
  }
  yield* input.match(end)
  return 'malformed'
}
