/** Blocks that consist of an open marker, JSON with one or more calls, and usually an end marker. */
import type { BlockDefinition, WritableCall } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { afterSpace, loose, type Marker, MarkerSet, textsOf } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { takeFence, takeFenceEnd } from './code-fence.ts'
import { type JsonCallShape, type JsonOutcome, readCallItems, readJsonCalls } from './json-calls.ts'

export interface JsonBlockOptions {
  readonly open: Marker
  readonly close?: Marker | undefined
  /** End markers of other dialects that a model may write by mistake. They show that a call was meant but don't end it. */
  readonly alike?: Marker | undefined
  /** Keys of a call. Default: `name`, and `arguments` or `parameters`. */
  readonly shape?: Partial<JsonCallShape> | undefined
  /** What the block contains. `items`: a list whose opening bracket is part of the open marker. Default: an object or a list. */
  readonly holds?: 'object' | 'list' | 'items' | undefined
  /** Characters that may separate objects in a block, besides white space. Default: a block contains a single value. */
  readonly separators?: string | undefined
}

/** Variants of `</tool_call>` that models write. */
const LIKE_TOOL_CALL: Marker = [
  ...['</tool_calls>', '</toolcall>', '</TOOL_CALL>', '</function_call>', '</tools>'],
  loose('< / tool_call >'),
]

export const JSON_CALL: JsonCallShape = {
  name: ['name'],
  arguments: ['arguments', 'parameters'],
  id: ['id'],
  inside: ['function'],
}

/** Characters with which a block's JSON may start. */
const FIRST = { either: '{[', object: '{', list: '[', items: '{]' } as const

export function jsonBlock({ open, close = [], alike = [], shape, holds, separators }: JsonBlockOptions): BlockDefinition {
  const whole = { ...JSON_CALL, stops: new MarkerSet({ open, close }), ...shape }
  const end = new MarkerSet({ close: afterSpace(close) })
  const first = FIRST[holds ?? 'either']
  return {
    open,
    inside: [close, alike].flatMap(textsOf),
    *read(context) {
      const { input, calls } = context
      yield* input.skipSpace()
      const isFenced = yield* takeFence(input)
      const unit = yield* input.peek()
      if (!first.includes(unit)) return yield* passOver(context, unit, end)
      if (yield* takeEmptyList(input, holds)) {
        if (isFenced) yield* takeFenceEnd(input)
        return yield* endBlock(context, end)
      }
      const endedBefore = calls.ended
      const isRow = separators !== undefined && unit === '{'
      const outcome = yield* holds === 'items' || isRow
        ? readCallItems(context, whole, isRow ? separators : undefined)
        : readJsonCalls(context, whole)
      if (isFenced && (yield* takeFenceEnd(input)) && calls.isOpen) calls.tag('repaired')
      return yield* finishBlock(context, outcome, endedBefore, end)
    },
  }
}

const EMPTY_LIST = new MarkerSet({ list: loose('[ ]') })
const EMPTY_REST = new MarkerSet({ list: ']' })

/** Consumes an empty list, with which a model says that it makes no calls. */
export function* takeEmptyList(input: TextInput, holds?: JsonBlockOptions['holds']): Reading<boolean> {
  return (yield* input.match(holds === 'items' ? EMPTY_REST : EMPTY_LIST)) !== undefined
}

/**
 * Skips a block that doesn't start with the expected JSON. Other JSON was meant as a call and is malformed. Anything else is
 * text.
 */
function* passOver({ input }: BlockContext, first: string, end: MarkerSet<'close'>): Reading<BlockOutcome> {
  if (first !== '{' && first !== '[') return 'text'
  const isWhole = yield* input.scan(new JsonScanner())
  yield* input.match(end)
  return isWhole ? 'malformed' : 'cut'
}

/** Ends the block after its JSON. `endedBefore` is the number of calls that had ended before the block. */
export function* finishBlock(
  context: BlockContext,
  outcome: JsonOutcome,
  endedBefore: number,
  end: MarkerSet<'close'>,
): Reading<BlockOutcome> {
  const { input, calls } = context
  if (outcome === 'text' && !calls.isOpen) {
    yield* input.match(end)
    return 'text'
  }
  // Without an end marker in the dialect, only the last bracket shows that the calls are complete.
  if (outcome === 'cut' && !end.has('close')) return 'cut'
  const isRead = calls.isOpen ? calls.isWhole : outcome === 'done' && calls.ended > endedBefore
  if (isRead) return yield* endBlock(context, end)
  if (outcome === 'done') yield* input.match(end)
  return outcome === 'cut' ? 'cut' : 'malformed'
}

/** Reads the end of a block: consumes extra brackets and the end marker, and ends the open call if possible. */
export function* endBlock({ input, calls, policy }: BlockContext, end: MarkerSet<'close'>): Reading<BlockOutcome> {
  yield* input.takeWhile((code) => code === CLOSING_BRACE || code === CLOSING_BRACKET)
  const isClosed = (yield* input.match(end)) !== undefined
  if (!isClosed && end.has('close') && calls.isOpen) {
    // The text ends inside the end marker. That part isn't text either.
    input.takeBegun(end)
    yield* input.skipSpace()
    const next = yield* input.peek()
    if (next === '' && policy.unfinished === 'never') return 'cut'
    // Like servers, treats a block without an end marker as prose if prose follows. Any other marker, even a misspelled one, ends
    // the block.
    if (!MAY_END.includes(next)) return 'malformed'
    calls.tag('missing_end')
  }
  if (calls.isOpen) calls.end()
  return 'read'
}

/** Characters with which a marker may start. `MAY_END.includes('')` is true, so this also accepts the end of the text. */
const MAY_END = '<['
const CLOSING_BRACE = 0x7d
const CLOSING_BRACKET = 0x5d

export interface JsonBlockWriting {
  readonly open?: string | undefined
  readonly close?: string | undefined
  /**
   * How the calls of a turn are grouped. `list`: one block with a list. `lines`: one block with one call per line. Default: one
   * block per call.
   */
  readonly together?: 'list' | 'lines' | undefined
  /** Text between two blocks. Default: a line break. */
  readonly separator?: string | undefined
  /** The key of the tool name. Default: `name`. */
  readonly nameKey?: string | undefined
  /** The key of the arguments. Default: `arguments`. */
  readonly argumentsKey?: string | undefined
  /** True if the tool name is the only key of a call's object: `{"get_weather": {"city": "Oslo"}}`. */
  readonly isKeyed?: boolean | undefined
}

/** Writes the calls of a turn. Refuses nothing, because JSON can express every name and argument. */
export function formatJsonBlocks({
  open = '',
  close = '',
  together,
  separator = '\n',
  nameKey = 'name',
  argumentsKey = 'arguments',
  isKeyed = false,
}: JsonBlockWriting): (calls: readonly WritableCall[]) => string {
  return (calls) => {
    const objects = calls.map(({ name, json }) =>
      isKeyed ? `{${JSON.stringify(name)}: ${json}}` : `{"${nameKey}": ${JSON.stringify(name)}, "${argumentsKey}": ${json}}`,
    )
    if (together === 'list') return `${open}[${objects.join(', ')}]${close}`
    if (together === 'lines') return `${open}${objects.join('\n')}${close}`
    return objects.map((object) => `${open}${object}${close}`).join(separator)
  }
}

/** The block of Hermes and of models that write calls like it. */
export const TOOL_CALL = jsonBlock({ open: '<tool_call>', close: '</tool_call>', alike: LIKE_TOOL_CALL, separators: ',;' })

export const formatToolCalls = formatJsonBlocks({ open: '<tool_call>\n', close: '\n</tool_call>' })

/** Returns the parts of a dialect with a list of calls between two tags: a block, followed by `others`, and a writer. */
export function jsonList(tag: string, others: readonly BlockDefinition[], before = '') {
  const tags = { open: `<${tag}>`, close: `</${tag}>` }
  return {
    blocks: [jsonBlock({ ...tags, separators: ',;' }), ...others],
    formatCalls: formatJsonBlocks({ ...tags, open: before + tags.open, together: 'list' }),
  }
}
