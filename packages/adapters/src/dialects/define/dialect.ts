/** The interface of a dialect: how a family of open models writes tools, calls and results as plain text. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../../protocol/protocol.ts'

/** Parses one response, piece by piece. Holds back only text that may become a marker. Never throws. */
export interface TextParser {
  /** Parses the next piece. The text may be split anywhere, even inside a surrogate pair. */
  push(text: string): readonly LMDelta[]
  /** Ends the text. Returns deltas for the text that was held back. */
  end(): readonly LMDelta[]
}

/** How to parse text that servers handle in different ways. Each dialect has its own defaults; see docs/dialects.md. */
export interface DialectPolicy {
  /** What to do with a call to an undeclared tool. `call` returns it with the tag `unknown_tool`. `text` keeps it as text. */
  readonly unknownTool: 'call' | 'text'
  /**
   * What to do if the text ends inside a call. `whole` accepts a call if only its end marker is missing. If a parameter may be
   * missing too, the call is marked as `truncated` and must not be executed. `never` accepts no such call. `cut` also returns
   * incomplete calls, as `truncated`.
   */
  readonly unfinished: 'whole' | 'never' | 'cut'
  /** What to do with text after calls: keep it, or drop all text after the first call. */
  readonly textAfterCalls: 'keep' | 'drop'
  /**
   * What to do with a malformed block: keep it as text, keep it unless the text ends inside it, or drop it. It is reported in
   * `malformedCalls` in any case.
   */
  readonly malformedBlock: 'text' | 'text-unless-cut' | 'drop'
  /**
   * What to do with a call inside reasoning. `unless-closed` accepts it if the reasoning is never closed and only calls follow;
   * it is then reported at the end of the text. `call` accepts it and ends the reasoning there. `ignore` treats it as reasoning.
   */
  readonly callInReasoning: 'unless-closed' | 'call' | 'ignore'
  /** What to do with a call without arguments. `empty` uses `{}` as its arguments. `malformed` reports it as malformed. */
  readonly missingArguments: 'empty' | 'malformed'
  /**
   * What to do with a parameter that has two different values: report a malformed call, or use the last value, the first value,
   * or a list of all values. If the tags between two calls are missing, they look like one call with a repeated parameter.
   */
  readonly repeatedParameter: 'malformed' | 'last' | 'first' | 'list'
  /** What to do with a block inside a code fence: treat it as an example (`text`) or as a call. */
  readonly callInFence: 'text' | 'call'
  /**
   * What to do with a quoted block, which is between quotation marks, in a code span, in indented code, or after `>`. `text`
   * treats it as an example.
   */
  readonly quotedCall: 'text' | 'call'
}

export interface ParserOptions extends Partial<DialectPolicy> {
  /**
   * The request's tools. If absent, every name counts as a tool and arguments aren't coerced. If empty, no name counts as a tool.
   */
  readonly tools?: readonly ToolSpec[] | undefined
  /** True if the prompt ended inside reasoning, so that the response starts with reasoning. */
  readonly startsInReasoning?: boolean | undefined
}

/** The parts of a response that a dialect parses. */
export type DialectReading = Pick<LMResponse, 'text' | 'toolCalls' | 'reasoning' | 'malformedCalls'>

export interface FormatOptions {
  /**
   * The request's tools. If set, the written text is parsed again, and refused as `unrepresentable_value` if the parsed calls
   * differ. The schemas matter for this: a dialect without types writes the number 42 and the string "42" in the same way.
   */
  readonly tools?: readonly ToolSpec[] | undefined
}

/**
 * Why calls can't be written in a dialect. Meant for the programmer.
 * - `parallel_calls`: there are several calls, but the dialect allows one per turn. Fix: write each call in its own turn.
 * - `invalid_name`: a name would be parsed differently. Fix: rename the tool.
 * - `invalid_arguments`: the argument text of a call can't be parsed as an object. Fix: omit the call, or correct the text.
 * - `unrepresentable_value`: a value, a parameter name or a number can't be written so that it is parsed unchanged. Fix: follow the
 *   message: rename the parameter, pass the number as a string, flatten the value, or use a dialect that writes arguments as JSON.
 */
export type FormatRefusalCode = 'parallel_calls' | 'invalid_name' | 'invalid_arguments' | 'unrepresentable_value'

/** A refusal to write calls. */
export interface FormatRefusal {
  readonly ok: false
  readonly code: FormatRefusalCode
  /** A message for developers that names the call. */
  readonly message: string
}
export type FormattedCalls = { readonly ok: true; readonly text: string } | FormatRefusal

/** The markers around a model's reasoning, each with all accepted spellings. */
export interface ReasoningMarkers {
  readonly open: readonly string[]
  readonly close: readonly string[]
}

export interface Dialect {
  readonly name: string
  /** Patterns for the names of models that use the dialect; see `DialectDefinition`. */
  readonly models?: readonly RegExp[] | undefined
  readonly tunes?: readonly RegExp[] | undefined
  /** The default policy of the dialect's parsers. */
  readonly policy: DialectPolicy
  /** Control tokens in the family's chat template, and the tags around results. They are escaped in all text from users, tools and results. */
  readonly controlTokens: readonly string[]
  /** Markers around reasoning, such as `<think>` and `</think>`. Absent if the dialect has none. */
  readonly reasoning?: ReasoningMarkers | undefined
  /** Writes the tools for the system prompt, and explains how to call them. */
  formatTools(tools: readonly ToolSpec[]): string
  /** Writes tools that are added later, without explaining again how to call them. */
  formatMoreTools(tools: readonly ToolSpec[]): string
  /** Writes one call in the model's format, or returns the reason why it can't be written. */
  formatCall(call: RawToolCall, options?: FormatOptions): FormattedCalls
  /** Writes all calls of one turn, because some dialects combine them in one block. */
  formatCalls(calls: readonly RawToolCall[], options?: FormatOptions): FormattedCalls
  /** Writes the result of a call for the model, with markers and control tokens escaped. */
  formatResult(observation: Observation): string
  /** Writes the user's text for the model, with control tokens escaped. */
  formatUserText(text: string): string
  /** Parses a complete response, with the same code as a stream. Trims the text around calls. */
  parse(text: string, options?: ParserOptions): DialectReading
  streamParser(options?: ParserOptions): TextParser
}
