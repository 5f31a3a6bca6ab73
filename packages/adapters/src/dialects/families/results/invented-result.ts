/** Detects tool results and user turns that the model invented. They are neither text nor calls. */
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome, BlockReader } from '../../engine/block.ts'
import { afterSpace, type Marker, MarkerSet, textsOf } from '../../engine/marker.ts'
import { isLowerCase, type Reading, type TextInput } from '../../engine/text-input.ts'

export interface InventedResultOptions {
  readonly open: Marker
  readonly close: Marker
  /** Markers that may follow the open marker and are part of the result. */
  readonly inner?: Marker | undefined
  /** Markers that start the model's own turn after the result. */
  readonly next?: Marker | undefined
  /**
   * True if the markers are ordinary tags, which prose may contain. A result without an end tag is then text, unless it follows a
   * call and looks like a result.
   */
  readonly isPlain?: boolean | undefined
  /** True if the markers mean a result only after a call. Elsewhere, the text between them stays. */
  readonly onlyBehindCalls?: boolean | undefined
}

/**
 * Returns a block that removes an invented result, up to its end marker or the end of the response. `open` may also contain markers
 * of a user's turn, with which the response ends, and the end of the model's own turn, which is removed.
 */
export function inventedResult(options: InventedResultOptions): BlockDefinition {
  const { open, close, inner = [], next = [] } = options
  const begin = new MarkerSet({ inner })
  const ends = new MarkerSet({ close })
  const resume = new MarkerSet({ next: afterSpace(next) })
  const texts = textsOf(close).filter((text) => typeof text === 'string')
  const withoutEnd = new WeakSet<TextInput>()
  return {
    open,
    inside: close,
    isMarkup: true,
    *read(context) {
      const isUser = USER_TURN.test(context.opener)
      const isEnd = !isUser && texts.includes(context.opener)
      const isBehindEnd = isEnd || (isUser && texts.some((text) => context.opener.startsWith(text)))
      // A turn may end within an open quotation. Only a closing mark shows that prose names the markers.
      const mayBeNamed = isBehindEnd ? QUOTES.includes((yield* context.input.peek()) || ' ') : isUser
      if (mayBeNamed && context.isQuoted()) return 'text'
      if (isEnd) return 'read'
      // Tokens are never text.
      if (!isUser && options.onlyBehindCalls && context.calls.ended === 0) return options.isPlain ? 'text' : 'read'
      if (!options.isPlain) context.input.unmark()
      if (options.inner !== undefined) {
        yield* context.input.skipSpace()
        yield* context.input.match(begin)
      }
      const outcome = yield* leaveOut(context, isUser ? NO_END : ends, options.isPlain ? withoutEnd : undefined)
      if (outcome === 'read') yield* context.input.match(resume)
      return outcome
    },
  }
}

const USER_TURN = /(?:user|\[INST|startoftext)\W*$/i
const NO_END = new MarkerSet({})

/**
 * Removes a result. For ordinary tags, `withoutEnd` contains the inputs that have no more end tags, so that each is searched only
 * once.
 */
function* leaveOut(context: BlockContext, ends: MarkerSet, withoutEnd: WeakSet<TextInput> | undefined): Reading<BlockOutcome> {
  const { input, calls, hasText } = context
  const startsLikeResult = '\n{['.includes(yield* input.peek())
  if (withoutEnd === undefined || calls.ended > 0 || startsLikeResult) {
    // Text that starts like a result and has no end tag is a truncated result.
    const isResult = withoutEnd === undefined || (calls.ended > 0 && (!hasText || startsLikeResult))
    const end = yield* input.until(ends, () => {})
    return end === undefined && !isResult ? 'text' : 'read'
  }
  if (withoutEnd.has(input)) return 'text'
  const held: string[] = []
  if ((yield* input.until(ends, (text) => held.push(text))) !== undefined) return 'read'
  withoutEnd.add(input)
  readAgain(context, held.join(''))
  return 'text'
}

/** Continues reading directly after a tag that prose only mentions, because a call may follow. */
function readAgain({ input, giveText }: BlockContext, text: string): void {
  const taken = input.sinceMark()
  input.rewind(text)
  input.mark()
  giveText(taken.slice(0, taken.length - text.length))
}

export interface ResultTagsOptions {
  /** Text before each tag name, such as `seed:`. */
  readonly prefix?: string | undefined
  /** Text that may come after the tag name. */
  readonly suffix?: string | undefined
  /**
   * Names of tags that mean a result anywhere. Other tags mean one only after a call. Default: all names that models are known to
   * use.
   */
  readonly anywhere?: readonly string[] | undefined
}

/**
 * Defines a block for the tags in which models write results, with or without attributes. The end tag has the same name as the open tag.
 */
export function resultTags({ prefix = '', suffix = '', anywhere = NAMES }: ResultTagsOptions = {}): BlockDefinition {
  const tags = NAMES.flatMap((name) => [...new Set([name, name + suffix])].map((tag) => ({ name, tag: prefix + tag })))
  // Made when a model writes one of them.
  let readers: ReadonlyMap<string, BlockReader> | undefined
  const toReaders = () =>
    new Map(
      tags.map(({ name, tag }) => {
        const onlyBehindCalls = !anywhere.includes(name)
        return [tag, inventedResult({ open: `<${tag}>`, close: `</${tag}>`, isPlain: true, onlyBehindCalls }).read]
      }),
    )
  return {
    // There are too many tag names to have a marker for each.
    open: KINDS.map((kind) => `<${prefix}${kind}`),
    inside: tags.map(({ tag }) => `</${tag}>`),
    isMarkup: true,
    *read(context) {
      const { opener, input } = context
      const tag = opener.slice(1) + (yield* input.takeWhile(isOfName, LONGEST_NAME))
      readers ??= toReaders()
      const read = readers.get(tag)
      if (read !== undefined && (yield* input.peek()) === ' ') yield* input.takeWhile(isOfAttributes, LONGEST_ATTRIBUTES)
      if ((yield* input.peek()) !== '>') return 'text'
      input.at++
      if (read === undefined) return 'text'
      // If prose quotes only the tag, the text after it isn't a result.
      const isNamed = QUOTES.includes((yield* input.peek()) || ' ') && context.isQuoted()
      return isNamed ? 'text' : yield* read(context)
    },
  }
}

const KINDS = ['tool_', 'function_', 'observation']
const NAMES = ['tool', 'function', 'tool_call', 'function_call']
  .flatMap((kind) => ['response', 'result', 'output'].flatMap((word) => [`${kind}_${word}`, `${kind}_${word}s`]))
  .concat('observation')
const QUOTES = '`"\'\u2019\u201c\u201d\u00ab\u00bb\u300d\u300f'
const LONGEST_NAME = 64
const LONGEST_ATTRIBUTES = 256

/** Returns true for a lower-case letter, an underscore or a colon. */
function isOfName(code: number): boolean {
  return isLowerCase(code) || code === 0x5f || code === 0x3a
}

function isOfAttributes(code: number): boolean {
  return code !== 0x3c && code !== 0x3e
}

/**
 * Removes `<tool_response>` results, which most chat templates and this package write. After a call, also removes results in the
 * tags of all other families.
 */
export const INVENTED_TOOL_RESPONSE = resultTags({ anywhere: ['tool_response'] })
