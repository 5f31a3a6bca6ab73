/** What a dialect is defined by. Types only. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../adapters/adapter.ts'
import type { DialectPolicy, FormatRefusal } from './dialect.ts'
import type { BlockReader } from './engine/block.ts'
import type { Channels } from './engine/channel-name.ts'
import type { Marker } from './engine/marker.ts'
import type { Reading, TextInput } from './engine/text-input.ts'

/** A call whose arguments were read, for `formatCalls`. */
export interface WritableCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The arguments as JSON. */
  readonly json: string
}

/** Text that opens a block, and what reads it from there on. */
export interface BlockDefinition {
  readonly open: Marker
  readonly read: BlockReader
  /**
   * Where `open` is only how it begins: takes the rest, no more than a tag may be, and says whether a block begins there. In reasoning
   * all that stands behind a block is held back, and so it is asked for there; `read` begins behind `open` all the same.
   */
  readonly opens?: ((input: TextInput, opener: string) => Reading<boolean>) | undefined
  /** The other markers of its grammar, such as its end: a result that holds one is made harmless too. */
  readonly inside?: Marker | undefined
  /** What it reads is never a call, as a citation: it is read in reasoning too, which goes on behind it. */
  readonly isMarkup?: boolean | undefined
}

export interface ReasoningDefinition {
  readonly open: Marker
  readonly close: Marker
  /** It may also stand behind other text. The markers are tokens that no text holds: an end without a beginning is left out. */
  readonly anywhere?: boolean | undefined
  /** `open` opens a channel, and the word behind it says which: reasoning, or text. Without such a word it is reasoning if it is closed. */
  readonly channels?: Channels | undefined
}

export interface DialectDefinition {
  readonly name: string
  /**
   * The models that write it: patterns of the last part of a model's name, in lower case, with `-` for each run of other characters than
   * letters, digits and dots. No two dialects may match one name. A version ends where it ends: `granite-34b` isn't Granite 3.
   */
  readonly models?: readonly RegExp[] | undefined
  /** Models that were tuned to write it and are named after another family too: looked at before `models`. */
  readonly tunes?: readonly RegExp[] | undefined
  readonly blocks: readonly BlockDefinition[]
  /** More blocks, where markers hold the names of tools. Asked once for each list of tools. */
  blocksFor?(names: readonly string[]): readonly BlockDefinition[]
  /** Reads calls without a marker, where the text begins. What it takes must hold no marker, unless it belongs to a call. */
  readonly atStart?: BlockReader | undefined
  /** What a model that reasons in its text writes around that. */
  readonly reasoning?: ReasoningDefinition | undefined
  /** Markers that mean nothing here and are left out of the text, such as the end of a turn. */
  readonly ignored?: Marker | undefined
  /** Behind one of these nothing is read any more. */
  readonly end?: Marker | undefined
  /** Where this dialect decides otherwise than most. */
  readonly policy?: Partial<DialectPolicy> | undefined
  /**
   * The tokens of its family's chat template, spelled as the tokenizer matches them: `CONTROL_TOKENS.qwen`. They are made harmless in
   * results, tools and the user's text. Default: those of all families.
   */
  readonly controlTokens?: readonly string[] | undefined
  /** The calls of one turn as the model writes them; never empty. */
  formatCalls(calls: readonly WritableCall[]): string | FormatRefusal
  /** The tools come without control tokens. Unless given: each tool as one line of JSON, and a call of this dialect as an example. */
  formatTools?(tools: readonly ToolSpec[]): string
  formatMoreTools?(tools: readonly ToolSpec[]): string
  /**
   * What is done to results: what would read as a marker is always made harmless, unless told; or, where calls have no marker of their
   * own and brackets are everywhere, only in a result in which something would be read.
   */
  readonly results?: 'escape' | 'escape-if-read' | undefined
  /** The observation comes without control tokens. Unless given: the text between `<tool_response>` tags. `toHarmless` is what is done to results otherwise. */
  formatResult?(observation: Observation, toHarmless: (text: string) => string): string
}
