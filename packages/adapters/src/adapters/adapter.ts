/**
 * The adapter interface. An adapter converts a signature and its inputs to a request, and a response to outputs. It is pure: it
 * never calls a model or executes a tool.
 */

import type { ArgumentTagName, ContentPart, ToolSpec } from '@x/tool-core'
import type { RecoveryTag } from '../arguments/tags.ts'
import type { Forgotten } from '../protocol/forgotten.ts'
import type { LMRequest, LMResponse, Message, RawToolCall } from '../protocol/protocol.ts'
import type { InputsOf, OutputsOf, Signature } from '../signature/signature.ts'

/** The result of a call, as the model reads it. */
export interface Observation {
  readonly callId: string
  readonly name: string
  readonly ok: boolean
  /** The result as text. Each image or file is replaced with a placeholder such as `[image/png]`. */
  readonly text: string
  /** The result including its images and files. Absent if the result is only text. */
  readonly parts?: readonly ContentPart[] | undefined
  /** Error code for the caller. Not sent to the model. */
  readonly code?: string | undefined
}

/** A turn to append to a conversation: a model's response with the results of its calls, a user message, or recorded messages. */
export type Turn =
  | { readonly response: LMResponse; readonly observations?: readonly Observation[] | undefined }
  | { readonly user: string }
  /** Messages that a conversation recorded, for example before a run paused. */
  | { readonly messages: readonly Message[] }

/** Tools that were revealed during a conversation, and when. */
export interface Revealed {
  /** Number of messages in the conversation when the tools were revealed. */
  readonly after: number
  readonly tools: readonly ToolSpec[]
}

/** Request options other than messages and tools. */
export type RequestOptions = Pick<
  LMRequest,
  'settings' | 'toolChoice' | 'search' | 'parallelToolCalls' | 'strictTools' | 'responseFormat' | 'cache' | 'providerOptions'
>

export interface ParseOptions {
  /** Tools that the model can call, from `Conversation.tools`. In text mode, their schemas determine how arguments are parsed. */
  readonly tools?: readonly ToolSpec[] | undefined
}

/** A multi-turn exchange with a model. Messages are appended and never rewritten. */
export interface Conversation {
  /** All messages after the system message, including those passed to `begin`. Plain data that every adapter can read. */
  readonly messages: readonly Message[]
  /** The tools that have been revealed to the model so far. */
  readonly tools: readonly ToolSpec[]
  append(turn: Turn): void
  /**
   * Makes more tools available from the next request on. The bytes of earlier messages don't change, so the prompt cache stays
   * valid.
   */
  reveal(tools: readonly ToolSpec[]): void
  /**
   * Replaces a range of messages with a text, from the next request on. `messages` still contains the range. A call and its
   * results must be in the same range.
   */
  forget(range: Forgotten): void
  /** Returns the next request. The conversation may change the array `messages` later, so copy it to keep it. */
  request(options?: RequestOptions): LMRequest
}

/**
 * The `code` of a `FieldError`. The message is written for the model. Agents and modules return the message to the model, at most
 * `maxRepairs` times.
 * - `missing_output`: a field has no value. Fix: return the message to the model.
 * - `invalid_output`: a value doesn't match the field's schema. Fix: return the message to the model. If it happens often, describe the
 *   field better.
 * - `truncated_output`: the reply reached its length limit. Fix: raise `maxOutputTokens`, or ask for less.
 * - `refused`: the model or the provider refused to answer. Fix: change the request. Asking again doesn't help.
 * - `provider_error`: the provider sent an error instead of a reply. Fix: send the request again. `createLM` and `withRetry` do so
 *   automatically.
 * - `empty_response`: the reply has neither text nor tool calls that the signature can accept. Fix: return the message to the model.
 * - `invalid_tool_call`: a call has no name, can't be parsed, or has the same id as another call of the turn. The call isn't executed.
 *   Fix: return the message to the model. If it happens often, use the model's dialect.
 * - `invalid_tool_call_arguments`: the arguments of a call can't be parsed as an object. The call isn't executed. Fix: return the message
 *   to the model.
 */
export type FieldErrorCode =
  | 'missing_output'
  | 'invalid_output'
  | 'truncated_output'
  | 'refused'
  | 'provider_error'
  | 'empty_response'
  | 'invalid_tool_call'
  | 'invalid_tool_call_arguments'

/** An error in one output field. The message is written for a model. */
export interface FieldError {
  readonly code: FieldErrorCode
  readonly field: string
  readonly message: string
  /** The call that caused the error. */
  readonly call?: RawToolCall | undefined
}

/** A call whose argument text was repaired. */
export interface RecoveredCall {
  readonly callId: string
  readonly tags: readonly RecoveryTag[]
}

/** An output field whose value was repaired or coerced to its schema. */
export interface RecoveredField {
  readonly field: string
  readonly tags: readonly (RecoveryTag | ArgumentTagName)[]
}

export interface Parsed<Outputs> {
  /** The outputs that were parsed successfully. If `errors` is empty, all required outputs are present. */
  readonly outputs: Outputs
  readonly errors: readonly FieldError[]
  /** Calls whose arguments were repaired. Check them before you execute calls that can't be undone. */
  readonly recovered?: readonly RecoveredCall[] | undefined
  /** Other outputs that were repaired or coerced, one entry per field. */
  readonly recoveredFields?: readonly RecoveredField[] | undefined
  /** The response as this adapter parsed it: its text without the calls, and its calls in order. */
  readonly response: LMResponse
}

export interface Adapter {
  readonly name: string
  /**
   * `native` if tools are sent through the API, `text` if they are written into the prompt. Agents also use this to choose how to
   * request the final outputs.
   */
  readonly toolCalling: 'native' | 'text'
  /** Converts inputs to a single request. */
  format<S extends Signature>(signature: S, inputs: InputsOf<S>, options?: RequestOptions): LMRequest
  /**
   * Starts a multi-turn conversation. `earlier` contains messages that a conversation recorded, with any adapter. `revealed`
   * tools are announced again at their original positions, so that the prompt starts with the same bytes.
   */
  begin<S extends Signature>(
    signature: S,
    inputs: InputsOf<S>,
    earlier?: readonly Message[],
    revealed?: readonly Revealed[],
  ): Conversation
  /** Parses a response into the signature's outputs. Deterministic. Never throws, and executes nothing. */
  parse<S extends Signature>(signature: S, response: LMResponse, options?: ParseOptions): Parsed<OutputsOf<S>>
  /**
   * Escapes control tokens in text that is added to the instructions, such as a toolset's instructions. Omit this method if the
   * provider escapes control tokens itself.
   */
  escapeText?(text: string): string
  /** Returns a prompt that asks for the signature's outputs in a separate message. */
  describeOutputs(signature: Signature): string
  /** Creates a reader that assigns streamed text to outputs. Without it, outputs are reported only once the reply is complete. */
  readFields?(signature: Signature): FieldReader
}

/**
 * A piece of streamed text that belongs to one output, as the model wrote it. Outputs are parsed and validated once the reply is
 * complete. This package's adapters omit white space around an output, so the pieces of an output add up to its text.
 */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** Assigns the pieces of a streamed reply to outputs. Its methods never throw. */
export interface FieldReader {
  /** Reads the next piece of the reply. Returns text as soon as it is certain which output the text belongs to. */
  push(text: string): readonly FieldText[]
  /** Ends the reply, and returns the remaining text. */
  end(): readonly FieldText[]
}
