/** Reads calls of the form `call:name{key:value, …}` between markers. The notation has its own string delimiter. */
import type { DialectDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { isLowerCase, isSpace, type Reading } from '../../engine/text-input.ts'
import { isAtJson } from '../json/code-fence.ts'
import { endBlock } from '../json/json-block.ts'
import { readJsonBody } from '../json/json-body.ts'
import { readLiteralArguments } from './literal-arguments.ts'
import { formatLiteralCalls } from './literal-format.ts'
import { type CustomLiteralOptions, isOfName, type LiteralMarks, LONGEST_NAME, toLiteralMarks } from './literal-marks.ts'

export function customLiteral(options: CustomLiteralOptions): Pick<DialectDefinition, 'blocks' | 'formatCalls'> {
  const marks = toLiteralMarks(options)
  const { open, close, quote } = options
  const blocks = [{ open, inside: [close, quote], read: (context: BlockContext) => readBlock(context, marks) }]
  return { blocks, formatCalls: (calls) => formatLiteralCalls(calls, options) }
}

/** Reads one or more calls, then the end marker. */
function* readBlock(context: BlockContext, marks: LiteralMarks): Reading<BlockOutcome> {
  const { input, calls } = context
  for (;;) {
    yield* input.skipSpace()
    if (yield* isAtJson(input)) return yield* readJsonBody(context, '', { stops: marks.border, end: marks.close })
    const outcome = yield* readCall(context, marks)
    if (outcome === 'malformed') yield* takeRest(context, marks)
    if (outcome !== 'done') return outcome
    yield* input.takeWhile((code) => isSpace(code) || code === CLOSING_BRACE || code === COMMA)
    if ((yield* input.peek(marks.call)) === undefined) return yield* endBlock(context, marks.close)
    // Completes the call, so that later text can't invalidate it.
    calls.end()
    input.mark()
  }
}

/** Consumes the rest of a malformed block, because it is reported as a whole. */
function* takeRest({ input }: BlockContext, marks: LiteralMarks): Reading {
  yield* input.before(marks.border, () => {})
  yield* input.match(marks.close)
}

function* readCall(context: BlockContext, marks: LiteralMarks): Reading<BlockOutcome | 'done'> {
  const { input, tools, policy } = context
  if ((yield* input.match(marks.call)) === undefined) return yield* readNoCall(context, marks)
  const name = (yield* input.takeWhile(isOfName, LONGEST_NAME)).trim()
  const unit = yield* input.peek()
  if (unit === '') return 'cut'
  if (name === '') return 'malformed'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  if (unit !== '{') return yield* readBareName(context, marks, name)
  input.at++
  return yield* readLiteralArguments(context, marks, name)
}

const CLOSING_BRACE = 0x7d
const COMMA = 0x2c

const CALL = 'call'

/**
 * Handles a marker without a call. It is text, unless the response ends there and a call might have followed, or a part of
 * `call:` shows that a call was meant.
 */
function* readNoCall({ input }: BlockContext, { close }: LiteralMarks): Reading<BlockOutcome> {
  // Stops before any symbol, so that a marker after the word stays intact.
  const word = yield* input.takeWhile(isLowerCase, CALL.length)
  if (input.isAtEnd && CALL.startsWith(word)) return 'cut'
  const isBegun = word !== '' && CALL.startsWith(word)
  return isBegun && (word.length >= CALL.length - 1 || (yield* input.peek(close)) !== undefined) ? 'malformed' : 'text'
}

/** Reads a call that is only a name, without braces. */
function* readBareName(context: BlockContext, marks: LiteralMarks, name: string): Reading<BlockOutcome | 'done'> {
  const isOver = (yield* context.input.peek(marks.close)) !== undefined
  if (!isOver || context.policy.missingArguments === 'malformed') return 'malformed'
  new ArgumentsWriter(context, name).end()
  context.calls.tag('repaired')
  return 'done'
}
