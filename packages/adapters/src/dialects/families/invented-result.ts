/** A result that the model made up: no tool gave it, so it is neither text nor a call. */
import type { BlockDefinition } from '../definition.ts'
import { type Marker, MarkerSet } from '../engine/marker.ts'

export interface InventedResultOptions {
  readonly open: Marker
  readonly close: Marker
  /** What begins inside of it and belongs to it. */
  readonly inner?: Marker | undefined
  /** The markers are plain tags, which prose may hold: without its end it is text. */
  readonly isPlain?: boolean | undefined
}

/** Leaves out all text up to its end, or to the end of the response. */
export function inventedResult({ open, close, inner = [], isPlain = false }: InventedResultOptions): BlockDefinition {
  const begin = new MarkerSet({ inner })
  const ends = new MarkerSet({ close })
  return {
    open,
    inside: close,
    isMarkup: true,
    *read({ input }) {
      if (!isPlain) input.unmark()
      yield* input.skipSpace()
      yield* input.match(begin)
      const end = yield* input.until(ends, () => {})
      return end === undefined && isPlain ? 'text' : 'read'
    },
  }
}

/** What the chat templates of most models write around a result. */
export const INVENTED_TOOL_RESPONSE = inventedResult({ open: '<tool_response>', close: '</tool_response>', isPlain: true })
