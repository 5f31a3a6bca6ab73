/** A dialect in the form that the state machine uses. Types only. */
import type { BlockReader } from './block.ts'
import type { CallSyntax } from './call-remains.ts'
import type { Channels } from './channel-name.ts'
import type { MarkerSet } from './marker.ts'
import type { Reading, TextInput } from './text-input.ts'

/**
 * What a marker means; see `DialectDefinition`. `block:0` opens the first block. A `piece` occurs only in calls and doesn't start
 * a block. An `ignoredPiece` is a piece that is removed from the text.
 */
export type MarkerKey = 'think' | 'endThink' | 'ignored' | 'piece' | 'ignoredPiece' | 'end' | `block:${number}`

/** The part of a `BlockDefinition` that the state machine needs. */
export interface MachineBlock {
  readonly read: BlockReader
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  readonly isMarkup?: boolean | undefined
}

/** The markers and blocks of a dialect. Created once and used for all texts. */
export interface MachineParts {
  /** Markers that may occur in text. */
  readonly inText: MarkerSet<MarkerKey>
  /** Markers that may occur in reasoning: its close and open markers, and blocks. */
  readonly inReasoning: MarkerSet<MarkerKey>
  /** Markers to look for in reasoning that is never closed: all text markers except pieces of calls. */
  readonly inOpenReasoning: MarkerSet<MarkerKey>
  /** Close and open markers of reasoning. */
  readonly endOfReasoning: MarkerSet<MarkerKey>
  /** Close markers of reasoning. */
  readonly closeOfReasoning: MarkerSet<'endThink'>
  readonly blocks: readonly MachineBlock[]
  /** Markers that occur only in calls. */
  readonly inCalls: MarkerSet
  /** True if there are pieces: see `MarkerKey`. */
  readonly hasPieces: boolean
  /** The syntax of calls without markers: see `DialectDefinition`. */
  readonly syntax: CallSyntax | undefined
  /** Returns markers that find the same open marker again, at the start of a later line. */
  againOf(opener: string): MarkerSet
  /** A block without an open marker. It is tried first, at the start of the text. */
  readonly atStart?: `block:${number}` | undefined
  /** True if reasoning may also start after text, not only at the beginning. */
  readonly reasonsAnywhere: boolean
  /** The channel names that may follow the open marker of reasoning. */
  readonly channels?: Channels | undefined
}
