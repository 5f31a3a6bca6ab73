/** A dialect as the machine runs it. Types only. */
import type { BlockReader } from './block.ts'
import type { CallSyntax } from './call-remains.ts'
import type { Channels } from './channel-name.ts'
import type { MarkerSet } from './marker.ts'
import type { Reading, TextInput } from './text-input.ts'

/**
 * What a marker in the text means: see `DialectDefinition`. Blocks are `block:` and their number. `piece`: a marker that only occurs in
 * a call and doesn't start a block; `ignoredPiece`: the same, and it is removed.
 */
export type MarkerKey = 'think' | 'endThink' | 'ignored' | 'piece' | 'ignoredPiece' | 'end' | `block:${number}`

/** What the machine needs of a block: see `BlockDefinition`. */
export interface MachineBlock {
  readonly read: BlockReader
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  readonly isMarkup?: boolean | undefined
}

/** Made once for a dialect. */
export interface MachineParts {
  /** Markers that may occur in text. */
  readonly inText: MarkerSet<MarkerKey>
  /** Markers that may occur in reasoning: its end, another start, and blocks. */
  readonly inReasoning: MarkerSet<MarkerKey>
  /** Markers to look for in unclosed reasoning. Includes all text markers, except pieces of calls. */
  readonly inOpenReasoning: MarkerSet<MarkerKey>
  /** Markers that end and start reasoning. */
  readonly endOfReasoning: MarkerSet<MarkerKey>
  /** Only what ends it. */
  readonly closeOfReasoning: MarkerSet<'endThink'>
  readonly blocks: readonly MachineBlock[]
  /** Markers that only occur in calls. */
  readonly inCalls: MarkerSet
  /** Some of them don't start a block. */
  readonly hasPieces: boolean
  /** See `DialectDefinition`. */
  readonly syntax: CallSyntax | undefined
  /** The same open marker once more, at the beginning of a line. */
  againOf(opener: string): MarkerSet
  /** The one that is tried where text may start, before any marker. */
  readonly atStart?: `block:${number}` | undefined
  /** True if reasoning may start after text, and not only at the beginning. */
  readonly reasonsAnywhere: boolean
  /** The names after the marker that opens reasoning. */
  readonly channels?: Channels | undefined
}
