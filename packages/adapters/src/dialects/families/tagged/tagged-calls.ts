/** Reads calls in a dialect's tags: a name, followed by a key and a plain-text value for each parameter. */
import type { BlockDefinition, DialectDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { hasAllDeclared } from '../../engine/declared-types.ts'
import { MarkerSet, textsOf } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { LONGEST_LABEL, type TaggedCallsOptions, taggedFormat } from './tagged-format.ts'
import { TaggedValue, ValueEnds } from './tagged-value.ts'

interface Grammar {
  readonly nameEnd: MarkerSet<'end'>
  /** True if the name has no end marker of its own and ends at the next tag. */
  readonly isNameOpen: boolean
  readonly keyEnd: MarkerSet<'end'>
  /** Markers that may come between calls. */
  readonly between: MarkerSet<'call' | 'close'>
  /** Markers that may come between parameters. */
  readonly inCall: MarkerSet<'parameter' | 'end' | 'call' | 'close'>
  /** Markers that end a call. */
  readonly ends: MarkerSet
  readonly value: ValueEnds
  readonly trim: 'lines' | 'none'
}

/**
 * Returns `blocks` and `formatCalls` for a dialect with these tags. `formatCalls` refuses a call whose text would be parsed as a
 * tag.
 */
export function taggedCalls(options: TaggedCallsOptions): Pick<DialectDefinition, 'blocks' | 'formatCalls'> {
  const grammar = toGrammar(options)
  const { wrapper, call, parameter } = options
  const inside = [call.close, parameter.open, parameter.close, wrapper?.close ?? []].flatMap(textsOf)
  const wrapped: BlockDefinition = { open: wrapper?.open ?? [], read: (context) => readCalls(context, grammar) }
  const bare: BlockDefinition = {
    open: call.open,
    inside,
    *read(context) {
      const outcome = yield* readCall(context, grammar)
      return outcome === 'read' && wrapper !== undefined ? yield* readCalls(context, grammar) : outcome
    },
  }
  return {
    blocks: wrapper === undefined ? [bare] : [wrapped, bare],
    formatCalls: taggedFormat(options),
  }
}

function toGrammar({ wrapper, call, parameter, trim = 'none' }: TaggedCallsOptions): Grammar {
  const close = wrapper?.close ?? []
  return {
    nameEnd: new MarkerSet({ end: call.nameEnd ?? [parameter.open, call.close, call.open, close].flatMap(textsOf) }),
    isNameOpen: call.nameEnd === undefined,
    keyEnd: new MarkerSet({ end: parameter.keyEnd }),
    between: new MarkerSet({ call: call.open, close }),
    inCall: new MarkerSet({ parameter: parameter.open, end: call.close, call: call.open, close }),
    ends: new MarkerSet({ end: [call.close, call.open, close].flatMap(textsOf) }),
    value: new ValueEnds(
      parameter.close,
      [parameter.open, call.close, call.open, close].flatMap(textsOf),
      parameter.open,
      [],
      call.open,
      call.close,
    ),
    trim,
  }
}

/** Reads calls up to the end of the wrapper. */
function* readCalls(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input, calls } = context
  const { between } = grammar
  for (let isFirst = !calls.isOpen; ; isFirst = false) {
    yield* input.skipSpace()
    const key = yield* input.peek(between)
    if (key === 'call') {
      if (calls.isOpen) calls.end()
      input.mark()
      yield* input.match(between)
      const outcome = yield* readCall(context, grammar)
      if (outcome !== 'read') return outcome
      continue
    }
    if (isFirst) return input.isAtEnd ? 'cut' : 'text'
    if (key === 'close') yield* input.match(between)
    if (calls.isOpen) calls.end()
    return 'read'
  }
}

/** Reads a call, starting after its open tag. `read`: the call is complete, and is left open. */
function* readCall(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input, calls, tools, policy } = context
  if (grammar.isNameOpen) yield* input.skipSpace()
  const name = yield* readLabel(context, grammar.nameEnd, grammar.isNameOpen)
  if (name === undefined || name === '') return input.isAtEnd && !(grammar.isNameOpen && name === '') ? 'cut' : 'text'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  const writer = new ArgumentsWriter(context, name)
  const keys = new Set<string>()
  for (;;) {
    yield* input.skipSpace()
    const key = yield* input.peek(grammar.inCall)
    if (key === undefined && !mayEnd(context, grammar, name, keys)) return input.takeBegun(grammar.inCall) ? 'cut' : 'malformed'
    if (key !== 'parameter') {
      if (keys.size === 0 && policy.missingArguments === 'malformed') return 'malformed'
      if (key === 'end') yield* input.match(grammar.inCall)
      else calls.tag('missing_end')
      writer.end()
      return 'read'
    }
    yield* input.match(grammar.inCall)
    const label = yield* readLabel(context, grammar.keyEnd)
    if (label === undefined) return input.isAtEnd ? 'cut' : 'malformed'
    const value = new TaggedValue(writer, label, grammar.trim)
    const end = yield* value.read(input, grammar.value)
    if (end === 'cut' || end === 'broken') return end === 'cut' ? 'cut' : 'malformed'
    if (end !== 'close') calls.tag('repaired')
    value.end()
    keys.add(label)
  }
}

/** Returns true if the text ends here and only an end tag may be missing. Consumes an incomplete tag. */
function mayEnd({ input, tools, policy }: BlockContext, { ends }: Grammar, name: string, keys: ReadonlySet<string>): boolean {
  return policy.unfinished !== 'never' && hasAllDeclared(tools.argsOf(name), keys) && input.takeBegun(ends)
}

/**
 * Reads a name or a key, up to and including its end marker. It can't contain a line break. If `isOpen` is true, it ends at the
 * next tag instead, which may be on the next line.
 */
function* readLabel({ input }: BlockContext, end: MarkerSet<'end'>, isOpen = false): Reading<string | undefined> {
  const isOfLabel = (code: number) => code !== LINE_BREAK && !end.firstUnits.includes(String.fromCharCode(code))
  let label = ''
  while (label.length <= LONGEST_LABEL) {
    label += yield* input.takeWhile(isOfLabel, LONGEST_LABEL - label.length)
    const isBroken = isOpen && (yield* input.peek()) === '\n'
    if (isBroken) yield* input.skipSpace()
    const found = yield* isOpen ? input.peek(end) : input.match(end)
    if (found !== undefined) return label.trim()
    const unit = yield* input.peek()
    // Several words are prose that mentions the tag.
    if (isOpen && unit === '' && /\s/.test(label.trim())) return ''
    if (unit === '' || unit === '\n' || isBroken) return undefined
    label += unit
    input.at++
  }
  return undefined
}

const LINE_BREAK = 0x0a
