/** The dialect contract: how one family of open models writes tools, calls and results as plain text. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../../protocol/protocol.ts'

/** Reads one response, piece by piece. Holds back only text that may turn out to be a marker. Never throws. */
export interface TextParser {
  /** Reads the next piece. The text may be split anywhere, even inside a surrogate pair. */
  push(text: string): readonly LMDelta[]
  /** Ends the text, and returns the text that was held back. */
  end(): readonly LMDelta[]
}

/** How a parser handles text that different servers handle differently. Each dialect has its own defaults; see docs/dialects.md. */
export interface DialectPolicy {
  /** How to treat a call to an undeclared tool: pass it on with the tag `unknown_tool`, or treat it as text. */
  readonly unknownTool: 'call' | 'text'
  /**
   * How to treat text that ends inside a call. `whole` accepts a call if only its end marker is missing, and marks it as `truncated` if a
   * parameter may be missing too; a truncated call must not be executed. `never` accepts no such call. `cut` also returns incomplete calls,
   * as `truncated`.
   */
  readonly unfinished: 'whole' | 'never' | 'cut'
  /** How to treat text after calls: keep it, or drop all text after the first call. */
  readonly textAfterCalls: 'keep' | 'drop'
  /**
   * How to treat a malformed block: keep it as text, keep it unless the text ended inside it, or drop it. The block is always in
   * `malformedCalls`.
   */
  readonly malformedBlock: 'text' | 'text-unless-cut' | 'drop'
  /**
   * How to treat a call inside reasoning. `unless-closed` accepts the call if the reasoning is never closed and only calls follow. Such a
   * call is reported at the end of the text. `call` accepts the call and ends the reasoning there. `ignore` treats the call as reasoning.
   */
  readonly callInReasoning: 'unless-closed' | 'call' | 'ignore'
  /** How to treat a call without arguments: as a call with `{}`, or as malformed. */
  readonly missingArguments: 'empty' | 'malformed'
  /**
   * How to treat a parameter that is written twice with different values: as a malformed call, or keep the last value, the first value, or
   * a list of all. If the tags between two calls are missing, they look like one call with a repeated parameter.
   */
  readonly repeatedParameter: 'malformed' | 'last' | 'first' | 'list'
  /** How to treat a block inside a code fence: as an example (`text`), or as a call. */
  readonly callInFence: 'text' | 'call'
  /** How to treat a quoted block: between quotation marks, in a code span, in indented code, or after `>`. */
  readonly quotedCall: 'text' | 'call'
}

export interface ParserOptions extends Partial<DialectPolicy> {
  /** The tools of this request. If absent, any name is a tool and arguments aren't coerced. If empty, no name is a tool. */
  readonly tools?: readonly ToolSpec[] | undefined
  /** True if the prompt ended inside reasoning, so that the response starts with reasoning. */
  readonly startsInReasoning?: boolean | undefined
}

/** A response as parsed by the dialect. */
export type DialectReading = Pick<LMResponse, 'text' | 'toolCalls' | 'reasoning' | 'malformedCalls'>

export interface FormatOptions {
  /**
   * The tools that are called. If set, the written text is parsed again, and refused as `unrepresentable_value` if the calls differ.
   * Parsing depends on the schemas: a dialect without types writes the number 42 and the string "42" the same way.
   */
  readonly tools?: readonly ToolSpec[] | undefined
}

/**
 * Why calls can't be written in a dialect. Meant for the programmer.
 *
 * - `parallel_calls`: several calls in a turn, where the dialect allows only one. Fix: write each call in its own turn.
 * - `invalid_name`: a name that wouldn't survive a round trip. Fix: rename the tool.
 * - `invalid_arguments`: the argument text of a call doesn't parse as an object. Fix: leave the call out, or correct the text.
 * - `unrepresentable_value`: a value that wouldn't survive a round trip. Fix: use a dialect that writes arguments as JSON.
 */
export type FormatRefusalCode = 'parallel_calls' | 'invalid_name' | 'invalid_arguments' | 'unrepresentable_value'

/** Returned if calls can't be written. */
export interface FormatRefusal {
  readonly ok: false
  readonly code: FormatRefusalCode
  /** A message for developers that names the call. */
  readonly message: string
}
export type FormattedCalls = { readonly ok: true; readonly text: string } | FormatRefusal

/** The markers around a model's reasoning, in each accepted spelling. */
export interface ReasoningMarkers {
  readonly open: readonly string[]
  readonly close: readonly string[]
}

export interface Dialect {
  readonly name: string
  /** The models that use the dialect: see `DialectDefinition`. */
  readonly models?: readonly RegExp[] | undefined
  readonly tunes?: readonly RegExp[] | undefined
  /** The default policy of the dialect's parsers. */
  readonly policy: DialectPolicy
  /** The control tokens of the model family's chat template. They are escaped in all text from users, tools and results. */
  readonly controlTokens: readonly string[]
  /** The markers around reasoning, such as `<think>` and `</think>`. Absent if the dialect defines none. */
  readonly reasoning?: ReasoningMarkers | undefined
  /** Writes the tools and how to call them, for the system prompt. */
  formatTools(tools: readonly ToolSpec[]): string
  /** Writes tools that are added later, without repeating how to call them. */
  formatMoreTools(tools: readonly ToolSpec[]): string
  /** Writes one call in the model's format, or returns why it can't be written. */
  formatCall(call: RawToolCall, options?: FormatOptions): FormattedCalls
  /** Writes all calls of one turn, which some dialects put into one block. */
  formatCalls(calls: readonly RawToolCall[], options?: FormatOptions): FormattedCalls
  /** Writes a call's result for the model, with markers and control tokens escaped. */
  formatResult(observation: Observation): string
  /** Writes the user's text for the model, with control tokens escaped. */
  formatUserText(text: string): string
  /** Parses a complete response, with the same code as a streamed response. Text around calls is trimmed. */
  parse(text: string, options?: ParserOptions): DialectReading
  streamParser(options?: ParserOptions): TextParser
}
