/** The contract of a dialect: how one family of open models writes tools, calls and results in plain text. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../adapters/adapter.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../protocol/protocol.ts'

/** Reads one response piece by piece. Holds back only what may still become a marker; never throws. */
export interface TextParser {
  /** The next piece, cut anywhere, also between the halves of a character. */
  push(text: string): readonly LMDelta[]
  /** No more text comes: gives what was held back. */
  end(): readonly LMDelta[]
}

/** What a parser decides where servers disagree. Each dialect has its own defaults; see docs/dialects.md. */
export interface DialectPolicy {
  /** A call of a tool that the request does not have: passed on with the tag `unknown_tool`, or read as text. */
  readonly unknownTool: 'call' | 'text'
  /**
   * The text ends inside a call. `whole` takes a call whose payload is whole and lacks only its end marker, and gives one as
   * `truncated`, which must not run, where a parameter may still be missing; `never` takes none; `cut` gives also what has come of a
   * cut one, `truncated` too.
   */
  readonly unfinished: 'whole' | 'never' | 'cut'
  /** Text behind a block of calls: kept, or dropped from there on. */
  readonly textAfterCalls: 'keep' | 'drop'
  /** A block that cannot be read stands in the text, unless it is only cut off, or never. It is always among `malformedCalls`. */
  readonly malformedBlock: 'text' | 'text-unless-cut' | 'drop'
  /**
   * A call inside reasoning: `unless-closed` reads it when the reasoning is never closed and only calls stand behind it, which only the
   * end of the text can tell; `call` ends the reasoning there; `ignore` leaves it what it is.
   */
  readonly callInReasoning: 'unless-closed' | 'call' | 'ignore'
  /** A call without arguments: one with none, or no call. */
  readonly missingArguments: 'empty' | 'unread'
  /** A parameter that is written twice: the last one, the first one, or a list of all. */
  readonly repeatedParameter: 'last' | 'first' | 'list'
  /** A block inside a code fence of the text: an example, or a call. */
  readonly callInFence: 'text' | 'call'
  /** A block that the text quotes on its line: between quotation marks, in a code span, in indented code, behind `>`. */
  readonly quotedCall: 'text' | 'call'
}

export interface ParserOptions extends Partial<DialectPolicy> {
  /** The tools of this request. Absent: any name is a tool, and no schema says what a text is. Empty: none is. */
  readonly tools?: readonly ToolSpec[] | undefined
  /** The prompt ended inside reasoning, so the response begins there. */
  readonly startsInReasoning?: boolean | undefined
}

/** A response as it was read. */
export type DialectReading = Pick<LMResponse, 'text' | 'toolCalls' | 'reasoning' | 'malformedCalls'>

export interface FormatOptions {
  /**
   * With the tools of the calls, what is written is read again, and refused as `unsayable_value` where that gives other arguments:
   * the schemas lead the reading, and a dialect without types has one way to write the number 42 and the text "42".
   */
  readonly tools?: readonly ToolSpec[] | undefined
}

/** What a dialect cannot write, and why: two calls where it has place for one, a name that would not read back. */
export interface FormatRefusal {
  readonly ok: false
  readonly code: 'parallel_calls' | 'invalid_name' | 'invalid_arguments' | 'unsayable_value'
  /** For a developer; names the call. */
  readonly message: string
}
export type FormattedCalls = { readonly ok: true; readonly text: string } | FormatRefusal

/** What a model writes around its reasoning: each spelling that is read. */
export interface ReasoningMarkers {
  readonly open: readonly string[]
  readonly close: readonly string[]
}

export interface Dialect {
  readonly name: string
  /** The models that write it: see `DialectDefinition`. */
  readonly models?: readonly RegExp[] | undefined
  readonly tunes?: readonly RegExp[] | undefined
  /** What it decides unless a parser is told otherwise. */
  readonly policy: DialectPolicy
  /** The tokens of its family's chat template. No text of a user, a tool or a result holds one when a model reads it. */
  readonly controlTokens: readonly string[]
  /** The markers of `DialectDefinition.reasoning`, such as `<think>` and `</think>`. Absent if it defines none. */
  readonly reasoning?: ReasoningMarkers | undefined
  /** The tools as the system prompt shows them, with how to call them. */
  formatTools(tools: readonly ToolSpec[]): string
  /** More tools, for a model that was told how to call. */
  formatMoreTools(tools: readonly ToolSpec[]): string
  /** One call as the model would write it, or why it cannot be written. */
  formatCall(call: RawToolCall, options?: FormatOptions): FormattedCalls
  /** All calls of one turn: some dialects put them into one block. */
  formatCalls(calls: readonly RawToolCall[], options?: FormatOptions): FormattedCalls
  /** The result of a call, for the model to read; what would read as a marker or a control token in it is made harmless. */
  formatResult(observation: Observation): string
  /** The user's text, for the model to read: its control tokens are made harmless. */
  formatUserText(text: string): string
  /** Feeds a whole text and finishes: there is no second path. Text around calls is trimmed. */
  parse(text: string, options?: ParserOptions): DialectReading
  streamParser(options?: ParserOptions): TextParser
}
