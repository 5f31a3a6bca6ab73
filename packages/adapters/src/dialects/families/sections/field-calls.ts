/** Reads calls from DSPy's fields. `tool_calls` contains all calls. `next_tool_name` and `next_tool_args` form one call. */
import { type BlockContext, type BlockOutcome, leaveMalformed } from '../../engine/block.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import { isLetter, type Reading } from '../../engine/text-input.ts'
import { readJsonArguments } from '../json/json-arguments.ts'
import { type JsonCallShape, readJsonCalls } from '../json/json-calls.ts'

/** The header of any field, at the start of a line. */
const NEXT_FIELD = new MarkerSet({ header: loose('\n [[ ##') })
const NEXT_TOOL_ARGS = new MarkerSet({ header: loose('\n [[ ## next_tool_args ## ]]') })
/** Markers that end a value even if it is incomplete. */
const STOPS = new MarkerSet({ header: '[[ ##' })
const FENCE = new MarkerSet({ fence: loose(' ```') })
const NONE = [loose('[ ]'), loose('{ "tool_calls" : [ ] }'), loose('{ "tool_calls" : null }'), 'null', 'None']
const NO_CALLS = new MarkerSet({ none: NONE })

const SHAPE: JsonCallShape = {
  name: ['name'],
  arguments: ['args', 'arguments'],
  otherArguments: 'empty',
  id: ['id'],
  inside: ['function'],
  lists: ['tool_calls'],
  stops: STOPS,
}

/** Reads `{"tool_calls": […]}`, only the list, or one call. If the field is repeated, only the first occurrence counts. */
export function* readFieldCalls(context: BlockContext): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const endedBefore = calls.ended
  if (endedBefore > 0) return 'text'
  if (!(yield* findValue(context))) return input.isAtEnd ? 'cut' : 'malformed'
  if ((yield* input.match(NO_CALLS)) === undefined) {
    const outcome = yield* readJsonCalls(context, SHAPE)
    if (outcome === 'text' && !calls.isOpen) return 'text'
    const isRead = calls.isOpen ? calls.isWhole : outcome === 'done' && calls.ended > endedBefore
    if (!isRead) return outcome === 'cut' ? 'cut' : 'malformed'
    if (outcome === 'cut') {
      if (policy.unfinished === 'never') return 'cut'
      calls.tag('missing_end')
    }
    if (calls.isOpen) calls.end()
  }
  input.mark()
  yield* endField(context)
  // Prose after the calls is dropped. If it contains a brace, it may have been a call, so it is reported.
  if (input.peekMarked(0).includes('{')) leaveMalformed(context)
  return 'read'
}

/** Moves to the start of the value. Returns false if the field has no value. */
function* findValue({ input }: BlockContext): Reading<boolean> {
  if ((yield* input.match(FENCE)) !== undefined) yield* input.takeWhile(isLetter, LONGEST_LANGUAGE)
  if ((yield* input.peek(NEXT_FIELD)) !== undefined) return false
  yield* input.skipSpace()
  return (yield* input.peek()) !== ''
}

const LONGEST_LANGUAGE = 16

function* endField({ input }: BlockContext): Reading<BlockOutcome> {
  yield* input.before(NEXT_FIELD, () => {})
  return 'read'
}

/** Drops an observation. Observations come only from the agent, so the model invented it. */
export function* readObservation(context: BlockContext): Reading<BlockOutcome> {
  return yield* endField(context)
}

/** Reads a tool name from this field, and its arguments from the next field. */
export function* readNextTool(context: BlockContext): Reading<BlockOutcome> {
  const { input, calls } = context
  let field = ''
  yield* input.before(NEXT_FIELD, (text) => {
    field += text
  })
  const name = field.trim().replace(/^(["'`])(.*)\1$/s, '$2')
  if (input.isAtEnd) return 'cut'
  if (name === '' || (yield* input.match(NEXT_TOOL_ARGS)) === undefined) return 'malformed'
  if (!(yield* findValue(context))) return input.isAtEnd ? 'cut' : 'malformed'
  const outcome = yield* readJsonArguments(context, { name }, STOPS)
  if (outcome !== 'done') return outcome === 'broken' ? 'malformed' : outcome
  calls.end()
  return yield* endField(context)
}
