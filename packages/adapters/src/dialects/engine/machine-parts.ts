/** A dialect as the machine runs it. Types only. */
import type { BlockReader } from './block.ts'
import type { CallSyntax } from './call-remains.ts'
import type { Channels } from './channel-name.ts'
import type { MarkerSet } from './marker.ts'
import type { Reading, TextInput } from './text-input.ts'

/**
 * The meaning of a marker in the text: see `DialectDefinition`. Blocks are `block:` and their number. `piece`: a marker that only occurs in
 * a call and doesn't start a block; `ignoredPiece`: a piece that is removed from the text.
 */
export type MarkerKey = 'think' | 'endThink' | 'ignored' | 'piece' | 'ignoredPiece' | 'end' | `block:${number}`

/** What the machine needs from a block: see `BlockDefinition`. */
export interface MachineBlock {
  readonly read: BlockReader
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  readonly isMarkup?: boolean | undefined
}

/** Created once per dialect. */
export interface MachineParts {
  /** Markers that may occur in text. */
  readonly inText: MarkerSet<MarkerKey>
  /** Markers that may occur in reasoning: its end, another start, and blocks. */
  readonly inReasoning: MarkerSet<MarkerKey>
  /** Markers to look for in unclosed reasoning. Includes all text markers, except pieces of calls. */
  readonly inOpenReasoning: MarkerSet<MarkerKey>
  /** Markers that end and start reasoning. */
  readonly endOfReasoning: MarkerSet<MarkerKey>
  /** Markers that only end reasoning. */
  readonly closeOfReasoning: MarkerSet<'endThink'>
  readonly blocks: readonly MachineBlock[]
  /** Markers that only occur in calls. */
  readonly inCalls: MarkerSet
  /** True if some of them don't start a block. */
  readonly hasPieces: boolean
  /** See `DialectDefinition`. */
  readonly syntax: CallSyntax | undefined
  /** Returns the markers that find the same opener at the start of a later line. */
  againOf(opener: string): MarkerSet
  /** The block to try where text may start, before looking for markers. */
  readonly atStart?: `block:${number}` | undefined
  /** True if reasoning may start after text, and not only at the beginning. */
  readonly reasonsAnywhere: boolean
  /** The channel names after the marker that opens reasoning. */
  readonly channels?: Channels | undefined
}
