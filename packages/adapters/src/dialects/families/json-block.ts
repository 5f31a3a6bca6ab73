/** Family A: a marker, JSON with one call or several, a marker that ends it. */
import type { BlockDefinition, WritableCall } from '../definition.ts'
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import { JsonScanner } from '../engine/json-scanner.ts'
import { afterSpace, type Marker, MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'
import { takeFence, takeFenceEnd } from './code-fence.ts'
import { type JsonCallShape, type JsonOutcome, readCallItems, readJsonCalls } from './json-calls.ts'

export interface JsonBlockOptions {
  readonly open: Marker
  readonly close?: Marker | undefined
  /** Under which keys a call keeps what; `name`, and `arguments` or `parameters`, unless told. */
  readonly shape?: Partial<JsonCallShape> | undefined
  /** What stands in the block; either of the first two unless told. `items` is a list whose bracket ends the open marker. */
  readonly holds?: 'object' | 'list' | 'items' | undefined
  /** Units that may stand between two objects, besides white space; unless told, a block holds one value. */
  readonly separators?: string | undefined
}

export const JSON_CALL: JsonCallShape = {
  name: ['name'],
  arguments: ['arguments', 'parameters'],
  id: ['id'],
  inside: ['function'],
}

/** With what the value of a block begins. */
const FIRST = { either: '{[', object: '{', list: '[', items: '{]' } as const

export function jsonBlock({ open, close = [], shape, holds, separators }: JsonBlockOptions): BlockDefinition {
  const whole = { ...JSON_CALL, stops: new MarkerSet({ open, close }), ...shape }
  const end = new MarkerSet({ close: afterSpace(close) })
  const first = FIRST[holds ?? 'either']
  return {
    open,
    inside: close,
    *read(context) {
      const { input, calls } = context
      yield* input.skipSpace()
      const isFenced = yield* takeFence(input)
      const unit = yield* input.peek()
      if (!first.includes(unit)) return yield* passOver(context, unit, end)
      const told = calls.ended
      const isRow = separators !== undefined && unit === '{'
      const outcome = yield* holds === 'items' || isRow
        ? readCallItems(context, whole, isRow ? separators : undefined)
        : readJsonCalls(context, whole)
      if (isFenced && (yield* takeFenceEnd(input)) && calls.isOpen) calls.tag('repaired')
      return yield* finishBlock(context, outcome, told, end)
    },
  }
}

/** JSON that is not what this block holds was meant as a call; anything else is text. */
function* passOver({ input }: BlockContext, first: string, end: MarkerSet<'close'>): Reading<BlockOutcome> {
  if (first !== '{' && first !== '[') return 'text'
  const isWhole = yield* input.scan(new JsonScanner())
  yield* input.match(end)
  return isWhole ? 'unread' : 'cut'
}

/** `told`: how many calls had ended before the block. */
export function* finishBlock(
  context: BlockContext,
  outcome: JsonOutcome,
  told: number,
  end: MarkerSet<'close'>,
): Reading<BlockOutcome> {
  const { input, calls } = context
  if (outcome === 'text' && !calls.isOpen) {
    yield* input.match(end)
    return 'text'
  }
  // Without an end marker, only the last bracket says that there is no more.
  if (outcome === 'cut' && !end.has('close')) return 'cut'
  const isRead = calls.isOpen ? calls.isWhole : outcome === 'done' && calls.ended > told
  if (isRead) return yield* endBlock(context, end)
  if (outcome === 'done') yield* input.match(end)
  return outcome === 'cut' ? 'cut' : 'unread'
}

/** Behind a value: surplus brackets and the end marker are taken, and the call that is open is ended if it may be. */
export function* endBlock({ input, calls, policy }: BlockContext, end: MarkerSet<'close'>): Reading<BlockOutcome> {
  yield* input.takeWhile((code) => code === CLOSING_BRACE || code === CLOSING_BRACKET)
  const isClosed = (yield* input.match(end)) !== undefined
  if (!isClosed && end.has('close') && calls.isOpen) {
    // The text is over inside the end marker: what has come of it is not text.
    input.takeBegun(end)
    yield* input.skipSpace()
    const next = yield* input.peek()
    if (next === '' && policy.unfinished === 'never') return 'cut'
    // Every server takes a block that prose follows for prose. Another marker, or one that is misspelt, ends it.
    if (!MAY_END.includes(next)) return 'unread'
    calls.tag('missing_end')
  }
  if (calls.isOpen) calls.end()
  return 'read'
}

/** With what a marker begins; and nothing, at the end of the text. */
const MAY_END = '<['
const CLOSING_BRACE = 0x7d
const CLOSING_BRACKET = 0x5d

export interface JsonBlockWriting {
  readonly open?: string | undefined
  readonly close?: string | undefined
  /** The calls of a turn: each in a block of its own unless told, in one block as a list, or there with a line for each. */
  readonly together?: 'list' | 'lines' | undefined
  /** Between two blocks; a line break unless told. */
  readonly separator?: string | undefined
  /** `name` unless told. */
  readonly nameKey?: string | undefined
  /** `arguments` unless told. */
  readonly argumentsKey?: string | undefined
  /** Each call has its name as its one key. */
  readonly isKeyed?: boolean | undefined
}

/** Writes the calls of a turn. JSON has room for any name and any arguments, so there is nothing to refuse. */
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
