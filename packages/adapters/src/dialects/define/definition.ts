/** The input of `defineDialect`. Types only. */
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

/** A marker that opens a block, and the function that reads the block. */
export interface BlockDefinition {
  readonly open: Marker
  readonly read: BlockReader
  /**
   * Decides whether a block starts here. Needed if ordinary text may also contain `open`. Reads at most the length of a tag.
   * Called only in reasoning, where all text after the start of a block is held back. `read` still starts directly after `open`.
   */
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  /** Other markers inside the block, such as the end marker. They are escaped in tool results too. */
  readonly inside?: Marker | undefined
  /**
   * True if ordinary text often contains the open marker, for example the start of a JSON list. It isn't escaped in tool results.
   */
  readonly isUnmarked?: boolean | undefined
  /** True for markup that never contains a call, such as a citation. It is also read inside reasoning, without ending it. */
  readonly isMarkup?: boolean | undefined
}

export interface ReasoningDefinition {
  readonly open: Marker
  readonly close: Marker
  /**
   * True if reasoning may also start after text. Ordinary text must not contain the markers, because a close marker on its own is
   * removed.
   */
  readonly anywhere?: boolean | undefined
  /**
   * Channel names that may follow `open`. They decide whether the channel contains reasoning or text. A channel without a name
   * contains reasoning if it is closed.
   */
  readonly channels?: Channels | undefined
}

export interface DialectDefinition {
  readonly name: string
  /**
   * Patterns for the names of models that use the dialect. They are matched against the last segment of the name, in lower case,
   * with `-` for each run of other characters than letters, digits and dots: `Qwen/Qwen3_8B` becomes `qwen3-8b`. No name may
   * match two dialects. A pattern must match a whole version number: `granite-34b` isn't Granite 3.
   */
  readonly models?: readonly RegExp[] | undefined
  /** Patterns for fine-tuned models of other families that use this dialect. Checked before `models`. */
  readonly tunes?: readonly RegExp[] | undefined
  readonly blocks: readonly BlockDefinition[]
  /** Returns more blocks, whose markers contain tool names. Called once per list of tools. */
  blocksFor?(names: readonly string[]): readonly BlockDefinition[]
  /** Reads calls that have no marker, at the start of the text. Must not consume a marker outside the calls. */
  readonly atStart?: BlockReader | undefined
  /** The markers around a model's reasoning. */
  readonly reasoning?: ReasoningDefinition | undefined
  /** Markers that are removed from the text, such as the end of a turn. */
  readonly ignored?: Marker | undefined
  /** Markers that end the response, unless they are quoted or in a code fence. All text after one is discarded. */
  readonly end?: Marker | undefined
  /** Syntax of calls without markers. Used to find the remains of broken calls in text. They are reported as malformed calls. */
  readonly syntax?: CallSyntax | undefined
  /** Settings that differ from the default policy. */
  readonly policy?: Partial<DialectPolicy> | undefined
  /**
   * Control tokens of the models' chat template, spelled exactly as the tokenizer matches them, for example
   * `CONTROL_TOKENS.qwen`. They are escaped in results, tools and the user's text. Default: the tokens of all families.
   */
  readonly controlTokens?: readonly string[] | undefined
  /** Writes the calls of one turn in the model's format. There is at least one call. */
  formatCalls(calls: readonly WritableCall[]): string | FormatRefusal
  /**
   * Writes the tools for the prompt. Control tokens have already been escaped. Default: one line of JSON per tool, and an example
   * call in this dialect.
   */
  formatTools?(tools: readonly ToolSpec[]): string
  formatMoreTools?(tools: readonly ToolSpec[]): string
  /**
   * When to escape markers in tool results. `escape`: always. `escape-if-read`: only if the result would be parsed as a call. Use
   * `escape-if-read` if calls have no marker, because results often contain brackets. Default: `escape`.
   */
  readonly results?: 'escape' | 'escape-if-read' | undefined
  /**
   * Writes a tool result for the model. Control tokens have already been escaped. Apply `toHarmless` to text in which markers and
   * control tokens must be escaped. Default: `toHarmless(text)` between `<tool_response>` tags.
   */
  formatResult?(observation: Observation, toHarmless: (text: string) => string): string
}
