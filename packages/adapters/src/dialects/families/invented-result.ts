/** A result that the model made up: no tool gave it, so it is neither text nor a call. */
import type { BlockDefinition } from '../definition.ts'
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import { afterSpace, type Marker, MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'

export interface InventedResultOptions {
  readonly open: Marker
  readonly close: Marker
  /** What begins inside of it and belongs to it. */
  readonly inner?: Marker | undefined
  /** What begins the model's own turn behind it. */
  readonly next?: Marker | undefined
  /** The markers are plain tags, which prose may hold: without its end it is text, unless it stands behind a call like a result. */
  readonly isPlain?: boolean | undefined
  /** They mean a result only behind a call: anywhere else what stands between them is text, and plain tags are too. */
  readonly onlyBehindCalls?: boolean | undefined
}

/** Leaves out all text up to its end, or to the end of the response. */
export function inventedResult(options: InventedResultOptions): BlockDefinition {
  const { open, close, inner = [], next = [] } = options
  const begin = new MarkerSet({ inner })
  const ends = new MarkerSet({ close })
  const resume = new MarkerSet({ next: afterSpace(next) })
  return {
    open,
    inside: close,
    isMarkup: true,
    *read(context) {
      // Tokens aren't text in any case.
      if (options.onlyBehindCalls && context.calls.ended === 0) return options.isPlain ? 'text' : 'read'
      if (!options.isPlain) context.input.unmark()
      yield* context.input.skipSpace()
      yield* context.input.match(begin)
      const outcome = yield* leaveOut(context, ends, options.isPlain === true)
      if (outcome === 'read') yield* context.input.match(resume)
      return outcome
    },
  }
}

function* leaveOut({ input, calls }: BlockContext, ends: MarkerSet, isPlain: boolean): Reading<BlockOutcome> {
  const first = yield* input.peek()
  const isCut = !isPlain || (calls.ended > 0 && (first === '{' || first === '['))
  const end = yield* input.until(ends, () => {})
  return end === undefined && !isCut ? 'text' : 'read'
}

/** What the chat templates of most models write around a result, and what we write. */
export const INVENTED_TOOL_RESPONSE = inventedResult({ open: '<tool_response>', close: '</tool_response>', isPlain: true })

const NAMES = ['tool', 'function'].flatMap((kind) =>
  ['response', 'result', 'output'].flatMap((word) => [`${kind}_${word}`, `${kind}_${word}s`]),
)

interface ResultTagsOptions extends Pick<InventedResultOptions, 'isPlain' | 'onlyBehindCalls'> {
  /** What may stand behind the name. */
  readonly suffixes?: readonly string[]
  readonly except?: readonly string[]
}

/** The tags that models write results in. One ends with its own name. */
export function resultTags(prefix: string, { suffixes = [''], except = [], ...options }: ResultTagsOptions): BlockDefinition {
  const names = NAMES.filter((name) => !except.includes(name))
  const tags = names.flatMap((name) => suffixes.map((suffix) => `${prefix}${name}${suffix}>`))
  const blocks = new Map(tags.map((tag) => [`<${tag}`, inventedResult({ open: `<${tag}`, close: `</${tag}`, ...options })]))
  return {
    open: [...blocks.keys()],
    inside: tags.map((tag) => `</${tag}`),
    isMarkup: true,
    *read(context) {
      return yield* (blocks.get(context.opener) as BlockDefinition).read(context)
    },
  }
}
