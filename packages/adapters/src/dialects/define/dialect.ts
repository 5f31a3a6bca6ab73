/** The interface of a dialect: how one family of open models writes tools, calls and results as plain text. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../../adapters/adapter.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../../protocol/protocol.ts'

/** Reads one response, piece by piece. Holds back only text that may turn out to be a marker. Never throws. */
export interface TextParser {
  /** Reads the next piece. The text may be split anywhere, even between surrogates. */
  push(text: string): readonly LMDelta[]
  /** Ends the text, and returns what was held back. */
  end(): readonly LMDelta[]
}

/** How a parser handles text that servers treat differently. Each dialect has its own defaults; see docs/dialects.md. */
export interface DialectPolicy {
  /** How to handle a call to an undeclared tool: as a call with the tag `unknown_tool`, or as text. */
  readonly unknownTool: 'call' | 'text'
  /**
   * How to handle text that ends inside a call. `whole` accepts a call if only its end marker is missing. If a parameter may be missing
   * too, the call is marked as `truncated` and must not be executed. `never` accepts no such call. `cut` also returns incomplete calls,
   * as `truncated`.
   */
  readonly unfinished: 'whole' | 'never' | 'cut'
  /** How to handle text after calls: keep it, or drop all text after the first call. */
  readonly textAfterCalls: 'keep' | 'drop'
  /**
   * How to handle a malformed block: keep it as text, keep it unless the text ended inside it, or drop it. In any case, the block is also
   * in `malformedCalls`.
   */
  readonly malformedBlock: 'text' | 'text-unless-cut' | 'drop'
  /**
   * How to handle a call inside reasoning. `unless-closed` accepts the call if the reasoning is never closed and only calls follow. Such
   * a call is reported at the end of the text. `call` accepts the call and ends the reasoning there. `ignore` treats the call as
   * reasoning.
   */
  readonly callInReasoning: 'unless-closed' | 'call' | 'ignore'
  /** How to handle a call without arguments: as a call with `{}`, or as malformed. */
  readonly missingArguments: 'empty' | 'malformed'
  /**
   * How to handle a parameter that is written twice with different values: as a malformed call, or by keeping the last value, the first
   * value, or a list of all values. Two calls look like one call with a repeated parameter if the tags between them are missing.
   */
  readonly repeatedParameter: 'malformed' | 'last' | 'first' | 'list'
  /** How to handle a block inside a code fence: as an example (`text`), or as a call. */
  readonly callInFence: 'text' | 'call'
  /** How to handle a quoted block: between quotation marks, in a code span, in indented code, or after `>`. */
  readonly quotedCall: 'text' | 'call'
}

export interface ParserOptions extends Partial<DialectPolicy> {
  /** The tools of the request. If absent, any name counts as a tool and arguments aren't coerced. If empty, no name counts as a tool. */
  readonly tools?: readonly ToolSpec[] | undefined
  /** True if the prompt ended inside reasoning, so that the response starts with reasoning. */
  readonly startsInReasoning?: boolean | undefined
}

/** A response as parsed by the dialect. */
export type DialectReading = Pick<LMResponse, 'text' | 'toolCalls' | 'reasoning' | 'malformedCalls'>

export interface FormatOptions {
  /**
   * The tools of the request. If set, the written text is parsed again, and refused as `unrepresentable_value` if the parsed calls
   * differ. Parsing depends on the schemas: a dialect without types writes the number 42 and the string "42" in the same way.
   */
  readonly tools?: readonly ToolSpec[] | undefined
}

/**
 * Why calls can't be written in a dialect. Meant for the programmer.
 * - `parallel_calls`: several calls in one turn, but the dialect allows only one. Fix: write each call in its own turn.
 * - `invalid_name`: a name that would be parsed differently. Fix: rename the tool.
 * - `invalid_arguments`: the argument text of a call can't be parsed as an object. Fix: omit the call, or correct the text.
 * - `unrepresentable_value`: a value that would be parsed differently. Fix: use a dialect that writes arguments as JSON.
 */
export type FormatRefusalCode = 'parallel_calls' | 'invalid_name' | 'invalid_arguments' | 'unrepresentable_value'

/** The refusal to write calls, with its reason. */
export interface FormatRefusal {
  readonly ok: false
  readonly code: FormatRefusalCode
  /** A message for developers that names the call. */
  readonly message: string
}
export type FormattedCalls = { readonly ok: true; readonly text: string } | FormatRefusal

/** The markers around a model's reasoning. Each list contains the accepted spellings. */
export interface ReasoningMarkers {
  readonly open: readonly string[]
  readonly close: readonly string[]
}

export interface Dialect {
  readonly name: string
  /** Patterns for the names of the models that use the dialect: see `DialectDefinition`. */
  readonly models?: readonly RegExp[] | undefined
  readonly tunes?: readonly RegExp[] | undefined
  /** The default policy of the dialect's parsers. */
  readonly policy: DialectPolicy
  /** The control tokens in the chat template of the model family. They are escaped in all text from users, tools and results. */
  readonly controlTokens: readonly string[]
  /** The markers around reasoning, such as `<think>` and `</think>`. Absent if the dialect defines none. */
  readonly reasoning?: ReasoningMarkers | undefined
  /** Writes the tools and how to call them, as text for the system prompt. */
  formatTools(tools: readonly ToolSpec[]): string
  /** Writes tools that are added later, without repeating how to call them. */
  formatMoreTools(tools: readonly ToolSpec[]): string
  /** Writes one call in the model's format, or returns why the call can't be written. */
  formatCall(call: RawToolCall, options?: FormatOptions): FormattedCalls
  /** Writes all calls of one turn, because some dialects combine them in one block. */
  formatCalls(calls: readonly RawToolCall[], options?: FormatOptions): FormattedCalls
  /** Writes the result of a call for the model, with markers and control tokens escaped. */
  formatResult(observation: Observation): string
  /** Writes the user's text for the model, with control tokens escaped. */
  formatUserText(text: string): string
  /** Parses a complete response, with the same code as a streamed response. Text around calls is trimmed. */
  parse(text: string, options?: ParserOptions): DialectReading
  streamParser(options?: ParserOptions): TextParser
}
