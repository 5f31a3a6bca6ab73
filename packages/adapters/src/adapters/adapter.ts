/** The adapter contract: converts a signature to a request, and a response to outputs. Pure: an adapter never executes a tool. */

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
  /** The result as text, in which a placeholder such as `[image/png]` replaces each image or file. */
  readonly text: string
  /** The result with its images and files. Absent if the result is only text. */
  readonly parts?: readonly ContentPart[] | undefined
  /** Error code for the caller. Not sent to the model. */
  readonly code?: string | undefined
}

/** A turn to append to a conversation: a model's response with the results of its calls, a user message, or recorded messages. */
export type Turn =
  | { readonly response: LMResponse; readonly observations?: readonly Observation[] | undefined }
  | { readonly user: string }
  /** Messages recorded by a conversation, e.g. before a run paused. */
  | { readonly messages: readonly Message[] }

/** Tools that were added during a conversation, with the number of messages before them. */
export interface Revealed {
  /** Number of messages in the conversation when the tools were revealed. */
  readonly after: number
  readonly tools: readonly ToolSpec[]
}

/** Request options other than messages and tools. */
export type RequestOptions = Pick<
  LMRequest,
  'settings' | 'toolChoice' | 'search' | 'parallelToolCalls' | 'strictTools' | 'responseFormat' | 'providerOptions'
>

export interface ParseOptions {
  /**
   * The tools that the model can call, from `Conversation.tools`. If calls are written as text, the tools' schemas determine how
   * arguments are parsed.
   */
  readonly tools?: readonly ToolSpec[] | undefined
}

/** An exchange with a model that grows turn by turn. Messages are appended and never rewritten. */
export interface Conversation {
  /** All messages after the system message, as plain data, including those passed to `begin`. They are the same for every adapter. */
  readonly messages: readonly Message[]
  /** The tools revealed to the model so far. */
  readonly tools: readonly ToolSpec[]
  append(turn: Turn): void
  /** Makes more tools available, starting with the next request. Everything that was sent before stays the same, byte for byte. */
  reveal(tools: readonly ToolSpec[]): void
  /**
   * Stops sending a range of messages, starting with the next request, and sends the text of the range instead. `messages` still contains
   * the range. A call and its results must be in the same range.
   */
  forget(range: Forgotten): void
  /** Returns the next request. Its `messages` array belongs to the conversation and may change: copy it to keep it. */
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
 * - `empty_response`: the reply has no text, and no calls for a field of the signature. Fix: return the message to the model.
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

/** A call whose arguments were repaired. */
export interface RecoveredCall {
  readonly callId: string
  readonly tags: readonly RecoveryTag[]
}

/** An output field that was repaired or coerced to its schema. */
export interface RecoveredField {
  readonly field: string
  readonly tags: readonly (RecoveryTag | ArgumentTagName)[]
}

export interface Parsed<Outputs> {
  /** The outputs that could be parsed. All required outputs are present if `errors` is empty. */
  readonly outputs: Outputs
  readonly errors: readonly FieldError[]
  /** Calls whose arguments were repaired. Check them before you execute calls that can't be undone. */
  readonly recovered?: readonly RecoveredCall[] | undefined
  /** Other outputs that were repaired or coerced, one entry per field. */
  readonly recoveredFields?: readonly RecoveredField[] | undefined
  /** The response as this adapter parsed it: the text without the calls, and the calls in order. */
  readonly response: LMResponse
}

export interface Adapter {
  readonly name: string
  /**
   * `native` if tools are sent through the API, `text` if they are written into the prompt. Agents also use this to decide how to request
   * the final outputs.
   */
  readonly toolCalling: 'native' | 'text'
  /** Formats a single request. */
  format<S extends Signature>(signature: S, inputs: InputsOf<S>, options?: RequestOptions): LMRequest
  /**
   * Starts a conversation of several turns. `earlier` contains messages that a conversation of any adapter recorded. `revealed` tools are
   * announced again at their original positions, so that the prompt starts with the same bytes.
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
   * Escapes control tokens in text that comes with tools and is added to the instructions, such as a toolset's instructions. Omit this
   * method if the provider escapes control tokens.
   */
  escapeText?(text: string): string
  /** Returns a prompt that requests a signature's outputs in a separate message. */
  describeOutputs(signature: Signature): string
  /** Reads outputs while a reply streams. If absent, outputs are reported only when the reply is complete. */
  readFields?(signature: Signature): FieldReader
}

/**
 * A piece of text that belongs to one output, as the model wrote it. Outputs are parsed and validated once the reply is complete. The
 * adapters of this package omit white space around an output, so that the pieces add up to its text.
 */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** Assigns each piece of a streamed reply to an output. Its methods never throw. */
export interface FieldReader {
  /** Reads the next piece of the reply, and returns text once it is certain to which output the text belongs. */
  push(text: string): readonly FieldText[]
  /** Ends the reply, and returns the remaining text. */
  end(): readonly FieldText[]
}
