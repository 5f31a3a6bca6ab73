/** Family C: `<function=NAME><parameter=KEY>VALUE</parameter></function>`, alone or several in a wrapper. */
import type { BlockDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { hasAllDeclared, propertiesOf } from '../../engine/declared-types.ts'
import { afterSpace, loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { seesJson } from '../json/code-fence.ts'
import { readJsonArguments } from '../json/json-arguments.ts'
import { type JsonBodyMarks, readJsonBody } from '../json/json-body.ts'
import { TaggedValue, ValueEnds, type ValueTrim } from '../tagged/tagged-value.ts'
import { readTagName } from './tag-name.ts'

export interface FunctionTagsOptions {
  /** The tag around functions; optional in the text. */
  readonly wrapper: string
  /** The white space of a value that belongs to its tags. */
  readonly trim: ValueTrim
  /** True if a function tag in a wrapper may lack its `=`: `<functionget_time>`. */
  readonly isLenient?: boolean | undefined
}

const FUNCTION = [loose('< function ='), loose('<function name =')]
const END_FUNCTION = [loose('< / function >'), '</function\n']
const PARAMETER = [loose('< parameter ='), loose('<parameter name =')]
const END_PARAMETER = [loose('< / parameter >'), '</parameter\n']

interface Grammar {
  readonly trim: ValueTrim
  /** Markers between parameters. */
  readonly tags: MarkerSet<'function' | 'endFunction' | 'parameter' | 'wrapper' | 'endWrapper'>
  /** The open tag of another parameter, and other text that may follow. Text that ends inside the tag is truncated. */
  readonly more: MarkerSet<'parameter'>
  readonly others: MarkerSet
  /** Parts of a block that may follow a call. */
  readonly behindCall: MarkerSet<'function' | 'endWrapper'>
  /** The end of a malformed block. */
  readonly ends: MarkerSet<'function' | 'wrapper' | 'endWrapper'>
  readonly values: ValueEnds
  /** Used for a body that is one JSON object. */
  readonly json: JsonBodyMarks & { readonly endFunction: MarkerSet }
}

/** Two blocks: functions in their wrapper, and functions without one. */
export function functionTags(options: FunctionTagsOptions): readonly BlockDefinition[] {
  const grammar = toGrammar(options)
  return [
    {
      open: loose(`<${options.wrapper} >`),
      inside: [...PARAMETER, ...END_PARAMETER, ...END_FUNCTION, loose(`< / ${options.wrapper} >`)],
      read: (context) => readWrapper(context, grammar),
    },
    { open: FUNCTION, read: (context) => readFunctions(context, grammar, 'text') },
  ]
}

/** Markers that end a value, even without its close tag. No written value may contain one. */
export function endsOfValue(wrapper: string): Marker {
  const ofWrapper = [loose(`< / ${wrapper} >`), loose(`<${wrapper} > < function =`)]
  return [...PARAMETER, ...END_FUNCTION, ...FUNCTION, ...ofWrapper]
}

function toGrammar({ wrapper, trim, isLenient }: FunctionTagsOptions): Grammar {
  const endWrapper = loose(`< / ${wrapper} >`)
  const openFunction: Marker = isLenient ? [...FUNCTION, '<function'] : FUNCTION
  const others = { function: openFunction, endFunction: END_FUNCTION, wrapper: loose(`<${wrapper} >`), endWrapper }
  return {
    trim,
    tags: new MarkerSet({ ...others, parameter: PARAMETER }),
    more: new MarkerSet({ parameter: PARAMETER }),
    others: new MarkerSet(others),
    behindCall: new MarkerSet({ function: afterSpace(openFunction), endWrapper: afterSpace(endWrapper) }),
    ends: new MarkerSet({ function: openFunction, wrapper: loose(`<${wrapper} >`), endWrapper }),
    json: {
      stops: new MarkerSet({ wrapper: loose(`<${wrapper} >`), endWrapper }),
      end: new MarkerSet({ close: afterSpace(endWrapper) }),
      endFunction: new MarkerSet({ end: afterSpace(END_FUNCTION) }),
    },
    values: new ValueEnds(END_PARAMETER, endsOfValue(wrapper), PARAMETER),
  }
}

function* readWrapper(context: BlockContext, grammar: Grammar): Reading<BlockOutcome> {
  const { input } = context
  const tag = yield* seesTag(input, grammar)
  if (tag === 'over' || tag === 'cut') return 'cut'
  if (tag === 'other' && (yield* seesJson(input))) return yield* readJsonBody(context, '', grammar.json)
  if (tag !== 'function') return yield* skipBlock(input, grammar)
  yield* input.take(grammar.tags)
  return yield* readFunctions(context, grammar, 'malformed')
}

/**
 * Skips the block: it may be prose that mentions the wrapper's tag. Calls in another form are consumed up to where this form could
 * continue.
 */
function* skipBlock(input: TextInput, { ends }: Grammar): Reading<BlockOutcome> {
  if (!'<{['.includes(yield* input.peek())) return 'text'
  const end = yield* input.before(ends, () => undefined)
  if (end === 'endWrapper') yield* input.take(ends)
  return 'malformed'
}

/** @param other The outcome if anything but a tag follows the name. */
function* readFunctions(context: BlockContext, grammar: Grammar, other: 'text' | 'malformed'): Reading<BlockOutcome> {
  const { input, calls } = context
  for (;;) {
    const outcome = yield* readFunction(context, grammar, other)
    if (outcome !== 'whole' && outcome !== 'truncated') return outcome
    calls.end(outcome === 'truncated')
    input.mark()
    const behind = yield* input.match(grammar.behindCall)
    if (behind !== 'function') return 'read'
  }
}

/** How a call that is still open ended. `truncated`: the text ended, and more parameters may have followed. */
type CallOutcome = 'whole' | 'truncated' | Exclude<BlockOutcome, 'read'>

/** Starts after `<function=`. */
function* readFunction(context: BlockContext, grammar: Grammar, other: 'text' | 'malformed'): Reading<CallOutcome> {
  const { input, tools, policy } = context
  const { name, end } = yield* readTagName(input, (written) => !tools.isOpen && tools.has(written))
  if (end === 'cut') return 'cut'
  if (name === '' || end === 'none') return other
  if (!tools.has(name) && policy.unknownTool === 'text') return 'text'
  if (end !== 'closed') {
    const tag = yield* seesTag(input, grammar)
    if (tag === 'cut') return 'cut'
    if (tag === 'other' && (yield* seesJson(input))) return yield* readJsonFunction(context, grammar, name, other)
    // A name at the end of the text may be prose.
    if (tag === 'other' || (tag === 'over' && other === 'text')) return other
  }
  const writer = new ArgumentsWriter(context, name)
  if (end === 'missing') context.calls.doubt()
  const keys = new Set<string>()
  // A call that is already closed can't have parameters.
  if (end === 'closed' && (yield* seesTag(input, grammar)) === 'parameter') return 'malformed'
  const last = end === 'closed' ? 'endFunction' : yield* readParameters(context, grammar, writer, keys)
  if (last === 'cut' || last === 'malformed') return last
  return endFunction(context, writer, { last, keys, schema: tools.argsOf(name) })
}

/** Starts at the brace. The arguments are one JSON object. */
function* readJsonFunction(
  context: BlockContext,
  { others, json, more }: Grammar,
  name: string,
  other: 'text' | 'malformed',
): Reading<CallOutcome> {
  const { input, calls, policy } = context
  const outcome = yield* readJsonArguments(context, { name }, others)
  if (outcome === 'cut' || outcome === 'text') return outcome
  if (outcome === 'broken') return calls.isOpen ? 'malformed' : other
  if ((yield* input.match(json.endFunction)) !== undefined) return 'whole'
  yield* input.skipSpace()
  // The object doesn't contain all arguments.
  if ((yield* input.sees(more)) !== undefined) return 'malformed'
  input.takeBegun(json.endFunction)
  if (input.isAtEnd ? policy.unfinished === 'never' : (yield* input.peek()) !== '<') return input.isAtEnd ? 'cut' : 'malformed'
  calls.tag('missing_end')
  return 'whole'
}

/** Reads what follows the parameters, after the end tag. */
type Behind = 'function' | 'endFunction' | 'wrapper' | 'endWrapper' | 'over'

/** @param keys Receives the keys that were written. */
function* readParameters(
  context: BlockContext,
  grammar: Grammar,
  writer: ArgumentsWriter,
  keys: Set<string>,
): Reading<Behind | 'cut' | 'malformed'> {
  const { input } = context
  for (;;) {
    const tag = yield* seesTag(input, grammar)
    if (tag === 'cut') return 'cut'
    if (tag === 'other') return 'malformed'
    if (tag === 'parameter') {
      yield* input.take(grammar.tags)
      const outcome = yield* readParameter(context, grammar, writer, keys)
      if (outcome !== 'read') return outcome
      continue
    }
    if (tag === 'endFunction') yield* input.take(grammar.tags)
    return tag
  }
}

interface FunctionEnd {
  readonly last: Behind
  readonly keys: ReadonlySet<string>
  readonly schema: unknown
}

/**
 * Ends a call. Without an end tag, a call that may lack a parameter must not be executed. Before the first declared parameter, the text
 * isn't a call.
 */
function endFunction({ calls, policy }: BlockContext, writer: ArgumentsWriter, { last, keys, schema }: FunctionEnd): CallOutcome {
  const isOver = last === 'over'
  if (isOver && (policy.unfinished === 'never' || (keys.size === 0 && propertiesOf(schema, schema).length > 0))) return 'cut'
  if (keys.size === 0 && policy.missingArguments === 'malformed') return 'malformed'
  if (last !== 'endFunction') calls.tag('missing_end')
  writer.end()
  return isOver && !hasAllDeclared(schema, keys) ? 'truncated' : 'whole'
}

/** Starts after `<parameter=`. */
function* readParameter(
  context: BlockContext,
  grammar: Grammar,
  writer: ArgumentsWriter,
  keys: Set<string>,
): Reading<'read' | 'cut' | 'malformed'> {
  const { input, calls } = context
  const { name: key, end: endOfKey } = yield* readTagName(input)
  if (endOfKey === 'cut') return 'cut'
  if (key === '' || endOfKey === 'none') return 'malformed'
  const value = new TaggedValue(writer, key, grammar.trim)
  const end = endOfKey === 'closed' ? 'close' : yield* value.read(input, grammar.values)
  if (end === 'cut' || end === 'broken') return end === 'cut' ? 'cut' : 'malformed'
  value.end()
  keys.add(key)
  if (end !== 'close') calls.tag('repaired')
  if (endOfKey === 'missing') calls.doubt()
  return 'read'
}

type Seen = 'function' | 'endFunction' | 'parameter' | 'wrapper' | 'endWrapper' | 'over' | 'cut' | 'other'

/**
 * Returns the tag after white space without consuming it. `over`: the text ends, possibly inside a tag. `cut`: it ends inside a parameter's
 * tag.
 */
function* seesTag(input: TextInput, { tags, more, others }: Grammar): Reading<Seen> {
  yield* input.skipSpace()
  const tag = yield* input.sees(tags)
  if (tag !== undefined) return tag
  if (!input.isEnded) return 'other'
  if (input.hasBegun(others)) return 'over'
  return input.hasBegun(more) ? 'cut' : 'other'
}
