/**
 * Reads the call formats of three generations of models, which start with the same marker: a list of JSON objects; a name and
 * arguments; a name, an id and arguments.
 */
import { recoverJson } from '../../../arguments/recover.ts'
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { writeNameAlone } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { afterSpace, loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { withoutQuotes } from '../argument-tags/argument-head.ts'
import { isAtJson, takeFence, takeFenceEnd } from '../json/code-fence.ts'
import { JSON_CALL, takeEmptyList } from '../json/json-block.ts'
import { type JsonCallShape, readJsonCalls, scanValue } from '../json/json-calls.ts'

const OPEN = '[TOOL_CALLS]'
const NEXT = new MarkerSet({ open: afterSpace(OPEN) })
const STOPS = new MarkerSet({ open: OPEN })
const PARTS = new MarkerSet({ args: '[ARGS]', id: '[CALL_ID]', open: OPEN })
const LIST = new MarkerSet({ list: loose('[ {') })
const LISTED: JsonCallShape = { ...JSON_CALL, stops: STOPS }

export function mistralCalls(): BlockDefinition {
  return {
    open: OPEN,
    inside: ['[ARGS]', '[CALL_ID]'],
    *read(context) {
      const { input } = context
      for (;;) {
        const outcome = yield* readOne(context)
        if (outcome !== 'read') return outcome
        input.mark()
        if ((yield* input.match(NEXT)) === undefined) return 'read'
      }
    },
  }
}

function* readOne(context: BlockContext): Reading<BlockOutcome> {
  const { input } = context
  yield* input.skipSpace()
  const isFenced = yield* takeFence(input)
  const first = yield* input.peek()
  const outcome = yield* first === '[' || first === '{' ? readListed(context) : readNamed(context)
  if (isFenced && outcome === 'read') yield* takeFenceEnd(input)
  return outcome
}

/** Reads a list of calls. It is complete at its closing bracket, and each call in it is complete when the next one starts. */
function* readListed(context: BlockContext): Reading<BlockOutcome> {
  const { calls, policy } = context
  const endedBefore = calls.ended
  // The model wrote the marker twice.
  if ((yield* context.input.peek(STOPS)) !== undefined) return 'read'
  if (yield* takeEmptyList(context.input)) return 'read'
  const outcome = yield* readJsonCalls(context, LISTED)
  if (outcome === 'cut') {
    // Without the closing bracket, every server drops the last call.
    if (policy.unfinished === 'whole') calls.isWhole = false
    return 'cut'
  }
  if (outcome === 'text' && !calls.isOpen) return 'text'
  if (calls.isOpen && calls.isWhole) calls.end()
  return calls.ended > endedBefore && !calls.isOpen ? 'read' : 'malformed'
}

interface Header {
  readonly name: string
  readonly id: string | undefined
  /** True if arguments follow. */
  readonly hasArguments: boolean
}

function* readNamed(context: BlockContext): Reading<BlockOutcome> {
  const { input, tools, policy } = context
  const header = yield* readHeader(context)
  if (header === undefined) return yield* readListed(context)
  const { name, id, hasArguments } = header
  if (name === '') return input.isAtEnd ? 'cut' : 'malformed'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  if (hasArguments) return yield* readArguments(context, name, id)
  // Prose after the marker isn't a name, and the text after a name may contain its arguments.
  const isFollowed = tools.mayContinue(name) && !input.isAtEnd && (yield* input.peek(STOPS)) === undefined
  if (isFollowed || policy.missingArguments === 'malformed' || (/\s/.test(name) && (tools.isOpen || !tools.has(name))))
    return 'malformed'
  return writeNameAlone(context, { name, id })
}

/** Reads the name and the id, up to the arguments or other text. Returns undefined if a list of calls follows. */
function* readHeader({ input }: BlockContext): Reading<Header | undefined> {
  const texts = { name: '', id: '' }
  let part: 'name' | 'id' = 'name'
  for (;;) {
    if (texts[part].length > LONGEST_HEADER) return { name: '', id: undefined, hasArguments: false }
    texts[part] += yield* input.takeWhile(isOfHeader, LONGEST_HEADER)
    const name = withoutQuotes(texts.name.trim())
    const id = texts.id.trim() || undefined
    yield* input.skipSpace()
    const unit = yield* input.peek()
    if (yield* isAtJson(input)) return { name, id, hasArguments: true }
    if (!'[`~'.includes(unit || ' ')) return { name, id, hasArguments: false }
    const found = yield* input.peek(PARTS)
    if (found === 'open') return { name, id, hasArguments: false }
    if (found !== undefined) yield* input.match(PARTS)
    if (found === 'args') return { name, id, hasArguments: true }
    if (found === 'id') part = 'id'
    else if ((yield* input.peek(LIST)) !== undefined) return undefined
    else if (found === undefined) {
      texts[part] += unit
      input.at++
    }
  }
}

const LONGEST_HEADER = 512

/** Returns true unless the character is an opening bracket, the start of a fence, or a line break. */
function isOfHeader(code: number): boolean {
  return !'[{`~\n'.includes(String.fromCharCode(code))
}

const OF_CALL = /[\w{]/

function hasWrongClose(text: string): boolean {
  const read = recoverJson(text)
  return read.ok && read.tags.includes('wrong_close')
}

function* readArguments(context: BlockContext, name: string, id: string | undefined): Reading<BlockOutcome> {
  const { input, calls } = context
  const scanner = new JsonScanner(STOPS.firstUnits)
  yield* input.skipSpace()
  const isFenced = yield* takeFence(input)
  calls.start({ name, id, reader: scanner })
  const outcome = yield* scanValue(context, { stops: STOPS }, scanner, (text) => calls.write(text))
  if (outcome === 'cut') return 'cut'
  if (outcome === 'broken') {
    if (scanner.stoppedAt === 'nothing') return 'malformed'
    // The next call starts before this one has ended.
    calls.write(scanner.closing)
    calls.tag('repaired')
  }
  if (isFenced && (yield* takeFenceEnd(input))) calls.tag('repaired')
  // A bracket of the wrong kind with more text after it is the rest of a marker.
  if (scanner.keys === undefined && OF_CALL.test(yield* input.peek()) && hasWrongClose(calls.written)) return 'malformed'
  calls.end()
  return 'read'
}
