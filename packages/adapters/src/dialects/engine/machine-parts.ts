/** A dialect as the machine runs it. Types only. */
import type { BlockReader } from './block.ts'
import type { Channels } from './channel-name.ts'
import type { MarkerSet } from './marker.ts'
import type { Reading, TextInput } from './text-input.ts'

/** What a marker in the text stands for: see `DialectDefinition`. Blocks are `block:` and their number. */
export type MarkerKey = 'think' | 'endThink' | 'ignored' | 'end' | `block:${number}`

/** What the machine needs of a block: see `BlockDefinition`. */
export interface MachineBlock {
  readonly read: BlockReader
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  readonly isMarkup?: boolean | undefined
}

/** Made once for a dialect. */
export interface MachineParts {
  /** What may stand in text. */
  readonly inText: MarkerSet<MarkerKey>
  /** What may stand in reasoning: its end, another beginning of it, and blocks. */
  readonly inReasoning: MarkerSet<MarkerKey>
  /** What may stand in reasoning that never ends: all that may stand in text as well. */
  readonly inOpenReasoning: MarkerSet<MarkerKey>
  /** What ends reasoning, and what begins it. */
  readonly endOfReasoning: MarkerSet<MarkerKey>
  readonly blocks: readonly MachineBlock[]
  /** What stands in calls and nowhere else. */
  readonly inCalls: MarkerSet
  /** The same open marker once more, at the beginning of a line. */
  againOf(opener: string): MarkerSet
  /** The one that is tried where text may begin, before any marker. */
  readonly atStart?: `block:${number}` | undefined
  /** Reasoning may begin behind text, and not only at the beginning. */
  readonly reasonsAnywhere: boolean
  /** What the words behind the marker that begins reasoning mean. */
  readonly channels?: Channels | undefined
}
