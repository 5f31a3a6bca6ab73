/** Calls of the form `<invoke name="F">…</invoke>`, with parameters in tags or in one JSON object. */

import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import { propertyOf } from '../../engine/declared-types.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { isAtJson, takeFence, takeFenceEnd } from '../json/code-fence.ts'
import { hasBrokenTag } from '../tagged/tagged-value.ts'
import { readAttributes } from './tag-attributes.ts'

export interface InvokeTags {
  readonly open: Marker
  readonly close: Marker
  /** Text before the word `invoke` in an open tag and in an end tag. Each item of the list is an alternative. */
  readonly tags: readonly TagStart[]
  /** Markers that may precede each call. They have no meaning. */
  readonly before?: Marker | undefined
  /** Markers that may follow each call. They also end a call without an end tag. */
  readonly after?: Marker | undefined
  /** True if the markers are single tokens, so that text between them was always meant as calls. */
  readonly isAlwaysBlock?: boolean | undefined
  /** Reads the parameters up to the end of the call, which isn't consumed. */
  readParameters(context: BlockContext, call: InvokeCall): Reading<CallEnd>
}

export interface TagStart {
  readonly open: string
  readonly close: string
}

/** The call that is being read. */
export interface InvokeCall {
  readonly name: string
  /** Markers that may end the call. */
  readonly ends: MarkerSet<CallEndKey>
}

/**
 * The marker that ends a call. `end`: its end tag. `invoke`: the next call. `outer`: the end of the block, or a marker that may
 * follow a call.
 */
export type CallEndKey = 'end' | 'invoke' | 'outer'
/**
 * How a call ended. `whole`: it is complete. `malformed`: it is broken. `cut`: the text ended inside it. `text`: there is no such
 * tool.
 */
export type CallEnd = 'whole' | 'malformed' | 'cut' | 'text'

interface Grammar {
  readonly tags: InvokeTags
  readonly between: MarkerSet<'invoke' | 'between' | 'close'>
  readonly ends: MarkerSet<CallEndKey>
  readonly stops: MarkerSet<'open' | 'close' | 'invoke'>
  readonly edges: MarkerSet<'open' | 'close'>
  /** Markers that start a tag inside a call. */
  readonly inside: MarkerSet<'tag'>
}

export function invokeBlock(tags: InvokeTags): BlockDefinition {
  const { open, close, before = [], after = [] } = tags
  const grammar: Grammar = {
    tags,
    between: new MarkerSet({ invoke: tags.tags.map((tag) => `${tag.open}invoke`), between: all(before, after), close }),
    ends: new MarkerSet(endsOf(tags)),
    stops: new MarkerSet({ open, close, invoke: tags.tags.map((tag) => loose(`${tag.open}invoke name =`)) }),
    edges: new MarkerSet({ open, close }),
    inside: new MarkerSet({ tag: tags.tags.map((tag) => tag.open) }),
  }
  const inside = [
    before,
    after,
    close,
    tags.tags.flatMap((tag) => [`${tag.open}invoke`, `${tag.close}invoke`, `${tag.open}parameter`, `${tag.close}parameter`]),
  ]
  return { open, inside: all(...inside), read: (context) => readBlock(context, grammar) }
}

/** Returns the markers that may end a call, or a parameter value inside a call. */
export function endsOf({ tags, close, after = [] }: Omit<InvokeTags, 'readParameters'>): Record<CallEndKey, Marker> {
  return {
    end: tags.map((tag) => loose(`${tag.close}invoke >`)),
    invoke: tags.map((tag) => loose(`${tag.open}invoke name =`)),
    outer: all(close, after),
  }
}

function all(...markers: readonly Marker[]): Marker {
  return markers.flat() as Marker
}

function* readBlock(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input, calls } = context
  const endedBefore = calls.ended
  for (;;) {
    yield* input.skipSpace()
    const key = yield* input.peek(grammar.between)
    if (key === undefined || key === 'close') {
      if (calls.isOpen || calls.ended > endedBefore) return yield* endBlock(context, grammar)
      return yield* leave(context, grammar, input.takeBegun(grammar.between) ? 'cut' : 'none')
    }
    if (key === 'invoke' && calls.isOpen) {
      calls.end()
      input.mark()
    }
    yield* input.match(grammar.between)
    if (key === 'between') continue
    const end = yield* readInvoke(context, grammar)
    if (end === 'whole') continue
    // After a malformed call, the next call is still read.
    if (end !== 'malformed' || (yield* input.before(grammar.stops, () => undefined)) !== 'invoke')
      return yield* leave(context, grammar, end)
    leaveMalformed(context)
  }
}

/** Ends a block after its last call. */
function* endBlock({ input, calls, policy }: BlockContext, { between }: Grammar): Reading<BlockOutcome> {
  if ((yield* input.match(between)) === undefined) {
    const isCut = input.takeBegun(between)
    if (isCut && policy.unfinished === 'never') return 'cut'
    if (calls.isOpen) calls.tag('missing_end')
  }
  if (calls.isOpen) calls.end()
  return 'read'
}

/** Consumes the rest of a block without parsing it, so that nothing of it stays in the text. */
function* leave({ input }: BlockContext, grammar: Grammar, why: 'none' | CallEnd): Reading<BlockOutcome> {
  const isBlock = grammar.tags.isAlwaysBlock === true || (yield* input.peek(grammar.between)) === 'close'
  if (why === 'none' && !isBlock) return 'text'
  const stop = yield* input.before(grammar.edges, () => undefined)
  if (stop === 'close') yield* input.take(grammar.edges)
  return why === 'cut' || why === 'text' ? why : 'malformed'
}

function* readInvoke(context: BlockContext, { tags, ends, inside, between }: Grammar): Reading<CallEnd> {
  const { input, calls, tools, policy } = context
  const tag = yield* readAttributes(input)
  if (tag === 'cut') return 'cut'
  if (tag === 'broken' || tag.name === undefined) return 'malformed'
  const { name } = tag
  const args = tools.argsOf(name)
  const hasArgument = [...tag.all.keys()].some((key) => key !== '' && key !== 'name' && propertyOf(args, args, key) !== undefined)
  if (hasArgument) return 'malformed'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  if (!tag.isEmpty) {
    yield* input.skipSpace()
    const isJson = yield* isAtJson(input)
    const end = isJson ? yield* readJson(context, name, ends) : yield* tags.readParameters(context, { name, ends })
    if (end !== 'whole') return end
    const key = yield* input.peek(ends)
    if (key === 'end') yield* input.match(ends)
    else calls.tag('missing_end')
    if (tag.isOdd) calls.doubt()
    return 'whole'
  }
  yield* input.skipSpace()
  // The tag ends with `/`, but parameters follow.
  const isFull = (yield* input.peek(inside)) !== undefined && (yield* input.peek(between)) === undefined
  if (isFull || policy.missingArguments === 'malformed') return 'malformed'
  calls.start({ name })
  calls.write('{}')
  calls.isWhole = true
  return 'whole'
}

/** Reads one object with all arguments. */
function* readJson({ input, calls, policy }: BlockContext, name: string, ends: InvokeCall['ends']): Reading<CallEnd> {
  const isFenced = yield* takeFence(input)
  if ((yield* input.peek()) !== '{') return input.isAtEnd ? 'cut' : 'malformed'
  const scanner = new JsonScanner(ends.firstUnits)
  calls.start({ name, reader: scanner })
  for (;;) {
    if (!(yield* input.scan(scanner, (text) => calls.write(text)))) return 'cut'
    if (scanner.stoppedAt === undefined) break
    if ((yield* input.peek(ends)) !== undefined) {
      calls.write(scanner.closing)
      calls.tag('repaired')
      break
    }
    scanner.pass()
  }
  calls.isWhole = true
  if (isFenced && (yield* takeFenceEnd(input))) calls.tag('repaired')
  yield* input.skipSpace()
  if ((yield* input.peek(ends)) !== undefined) return 'whole'
  if (input.takeBegun(ends)) return policy.unfinished === 'never' ? 'cut' : 'whole'
  // Nothing may follow the object. A complete or incomplete tag after it shows that it doesn't contain all arguments.
  let behind = ''
  yield* input.before(ends, (text) => {
    behind += text
  })
  if (hasBrokenTag(behind)) return 'malformed'
  calls.tag('repaired')
  return 'whole'
}
