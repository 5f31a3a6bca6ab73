/** The contract of an adapter: signature to request, response to outputs. Pure: it never runs a tool. */

import type { ArgumentTagName, ToolSpec } from '@x/tool-core'
import type { RecoveryTag } from '../arguments/tags.ts'
import type { Forgotten } from '../protocol/forgotten.ts'
import type { LMRequest, LMResponse, Message, RawToolCall } from '../protocol/protocol.ts'
import type { InputsOf, OutputsOf, Signature } from '../signature/signature.ts'

/** What a model reads of the result of one of its calls. */
export interface Observation {
  readonly callId: string
  readonly name: string
  readonly ok: boolean
  readonly text: string
  /** Of an error, for whoever watches: the model does not read it. */
  readonly code?: string | undefined
}

/** What is added to a conversation: the model's turn and what its calls gave, or words to the model. */
export type Turn =
  | { readonly response: LMResponse; readonly observations?: readonly Observation[] | undefined }
  | { readonly user: string }
  /** As a conversation recorded them: what was said before a run paused. */
  | { readonly messages: readonly Message[] }

/** Tools of which a model was told in the course of what was said earlier. */
export interface Revealed {
  /** How many of the earlier messages there were by then. */
  readonly after: number
  readonly tools: readonly ToolSpec[]
}

/** How a request goes out, beside its messages. */
export type RequestOptions = Pick<
  LMRequest,
  'settings' | 'toolChoice' | 'parallelToolCalls' | 'strictTools' | 'responseFormat' | 'providerOptions'
>

export interface ParseOptions {
  /** The tools that the model was told of, as `Conversation.tools`: where calls are text, their schemas say how to read arguments. */
  readonly tools?: readonly ToolSpec[] | undefined
}

/** A growing exchange with a model. It is appended to and never rebuilt. */
export interface Conversation {
  /** All that was said after the system message, also earlier, as plain data, the same for every adapter; grows with `append`. */
  readonly messages: readonly Message[]
  /** Those of which the model was told by now. */
  readonly tools: readonly ToolSpec[]
  append(turn: Turn): void
  /** Tells the model of more tools, from the next request on. What it was told before stays as it was, byte by byte. */
  reveal(tools: readonly ToolSpec[]): void
  /**
   * From the next request on these messages are not sent: the model reads the words in their place. `messages` keeps them. A call and
   * its results must go together.
   */
  forget(range: Forgotten): void
  /** The next request. Its `messages` are the live list of this conversation: copy what you keep. */
  request(options?: RequestOptions): LMRequest
}

/**
 * - `missing_output`: no value for a field. - `invalid_output`: a value that is not what the field's schema says.
 * - `empty_response`: no text, nor calls that the signature asks for. - `invalid_tool_call`: a call without a name, or text that was meant as one.
 * - `truncated_output`: the reply was cut off at its limit. - `refused`: the model or the provider refused to answer.
 * - `provider_error`: the provider sent an error in the place of a reply.
 * - `invalid_tool_call_arguments`: a call whose arguments do not read as an object.
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

/** What is wrong with one output field; the message is written for a model. */
export interface FieldError {
  readonly code: FieldErrorCode
  readonly field: string
  readonly message: string
  /** The call that it is about. */
  readonly call?: RawToolCall | undefined
}

/** A call whose arguments were repaired. */
export interface RecoveredCall {
  readonly callId: string
  readonly tags: readonly RecoveryTag[]
}

/** An output field that was repaired, or read as its schema asks. */
export interface RecoveredField {
  readonly field: string
  readonly tags: readonly (RecoveryTag | ArgumentTagName)[]
}

export interface Parsed<Outputs> {
  /** Complete when `errors` is empty. */
  readonly outputs: Outputs
  readonly errors: readonly FieldError[]
  /** For who runs what cannot be undone: which calls did not come as they are in `outputs`. */
  readonly recovered?: readonly RecoveredCall[] | undefined
  /** The same of the other outputs, one entry for each field. */
  readonly recoveredFields?: readonly RecoveredField[] | undefined
  /** The response as this adapter reads it: text without calls, and the calls in their order. */
  readonly response: LMResponse
}

export interface Adapter {
  readonly name: string
  /** Whether the model is told about tools by the API or in the text; it decides how a task ends. */
  readonly toolCalling: 'native' | 'text'
  /** One request for one answer. */
  format<S extends Signature>(signature: S, inputs: InputsOf<S>, options?: RequestOptions): LMRequest
  /**
   * The same, when more turns are to follow; `earlier` is what was said before, as a conversation of any adapter recorded it. What
   * was revealed in its course, in order, is told at the same places again, so that the prompt begins with the same bytes.
   */
  begin<S extends Signature>(
    signature: S,
    inputs: InputsOf<S>,
    earlier?: readonly Message[],
    revealed?: readonly Revealed[],
  ): Conversation
  /** Reads a response into the signature's outputs. Deterministic; throws nothing, executes nothing. */
  parse<S extends Signature>(signature: S, response: LMResponse, options?: ParseOptions): Parsed<OutputsOf<S>>
  /** Words that ask the model for a signature's outputs, for a turn of their own. */
  describeOutputs(signature: Signature): string
  /** For who shows a reply while it streams. Without it nothing is told of an output before the reply is whole. */
  readFields?(signature: Signature): FieldReader
}

/**
 * What was added to one output, as written: the outputs are read and checked when the reply is whole. The adapters of this package
 * leave out the blanks around an output, so that a text is its pieces.
 */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** Tells, while one reply streams, which output each piece of it belongs to. Neither method throws. */
export interface FieldReader {
  /** Takes the next piece; gives what is known to belong to an output by now. */
  push(text: string): readonly FieldText[]
  /** The reply is over; gives what was held back. */
  end(): readonly FieldText[]
}
