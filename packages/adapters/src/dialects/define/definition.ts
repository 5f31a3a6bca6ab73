/** A dialect definition. Types only. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import type { BlockReader } from '../engine/block.ts'
import type { CallSyntax } from '../engine/call-remains.ts'
import type { Channels } from '../engine/channel-name.ts'
import type { Marker } from '../engine/marker.ts'
import type { Reading, TextInput } from '../engine/text-input.ts'
import type { DialectPolicy, FormatRefusal } from './dialect.ts'

/** A call with parsed arguments, for `formatCalls`. */
export interface WritableCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The arguments as JSON. */
  readonly json: string
}

/** A marker that opens a block, and a reader for the block. */
export interface BlockDefinition {
  readonly open: Marker
  readonly read: BlockReader
  /**
   * Reads the rest of an `open` that is only a prefix (at most the length of a tag), and returns whether a block starts there. In
   * reasoning, all text after a block is held back, so this check runs there. `read` still starts right after `open`.
   */
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  /** Other markers of the block's grammar, such as the end marker. They are escaped in results too. */
  readonly inside?: Marker | undefined
  /** True if ordinary text may contain its opener, such as JSON. It isn't escaped in results. */
  readonly isUnmarked?: boolean | undefined
  /** True for markup that is never a call, such as a citation. It is also read in reasoning, which continues after it. */
  readonly isMarkup?: boolean | undefined
}

export interface ReasoningDefinition {
  readonly open: Marker
  readonly close: Marker
  /**
   * True if reasoning may follow other text. The markers are then tokens that no text contains, so a close marker without an open marker is
   * removed.
   */
  readonly anywhere?: boolean | undefined
  /** The names of channels after `open`: a name selects reasoning or text. A channel without a name is reasoning if it is closed. */
  readonly channels?: Channels | undefined
}

export interface DialectDefinition {
  readonly name: string
  /**
   * The models that use the dialect: patterns for the last part of a model's name, in lower case, with `-` for each run of characters other
   * than letters, digits and dots. No name may match two dialects. Match whole versions: `granite-34b` isn't Granite 3.
   */
  readonly models?: readonly RegExp[] | undefined
  /** Models of other families that were fine-tuned to this dialect. Checked before `models`. */
  readonly tunes?: readonly RegExp[] | undefined
  readonly blocks: readonly BlockDefinition[]
  /** Returns more blocks, whose markers contain tool names. Called once per list of tools. */
  blocksFor?(names: readonly string[]): readonly BlockDefinition[]
  /** Reads calls without a marker at the start of the text. The accepted text must contain no marker outside a call. */
  readonly atStart?: BlockReader | undefined
  /** The markers around a model's reasoning. */
  readonly reasoning?: ReasoningDefinition | undefined
  /** Markers to remove from the text, such as the end of a turn. */
  readonly ignored?: Marker | undefined
  /** Markers after which nothing is read. */
  readonly end?: Marker | undefined
  /**
   * How its calls are written, if they have no markers of their own inside. What is left of a broken call in text is then found by its syntax
   * and reported as a malformed call.
   */
  readonly syntax?: CallSyntax | undefined
  /** Differences from the default policy. */
  readonly policy?: Partial<DialectPolicy> | undefined
  /**
   * The tokens of the family's chat template, spelled as the tokenizer matches them: `CONTROL_TOKENS.qwen`. They are escaped in results,
   * tools and the user's text. Default: those of all families.
   */
  readonly controlTokens?: readonly string[] | undefined
  /** Writes the calls of one turn as the model does. The array is never empty. */
  formatCalls(calls: readonly WritableCall[]): string | FormatRefusal
  /**
   * Writes the tools for the prompt. Control tokens are already escaped. Default: each tool as one line of JSON, and an example call in
   * this dialect.
   */
  formatTools?(tools: readonly ToolSpec[]): string
  formatMoreTools?(tools: readonly ToolSpec[]): string
  /**
   * When to escape markers in results. Default: always. `escape-if-read`: only in a result that would be parsed as a call, for dialects
   * whose calls have no marker of their own, where brackets are common.
   */
  readonly results?: 'escape' | 'escape-if-read' | undefined
  /**
   * Writes a result for the model. Control tokens are already escaped. Default: the text between `<tool_response>` tags. `toHarmless` is
   * the default escaping of results.
   */
  formatResult?(observation: Observation, toHarmless: (text: string) => string): string
}
