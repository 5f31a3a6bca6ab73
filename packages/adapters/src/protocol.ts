/** What goes to a language model and what comes back, independent of any provider. Types only. */
import type { ToolSpec } from '@x/tool-core'

/** A tool call as a model wrote it: the arguments are still text. */
export interface RawToolCall {
  /** Unique in its response; minted where the provider sent none. */
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The text was cut off: never to be executed. */
  readonly truncated?: boolean | undefined
  /** What the provider sent beside it and wants back (its own id, a thought signature). */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly reasoning?: string | undefined
  readonly toolCalls?: readonly RawToolCall[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly name: string
  readonly content: string
  readonly isError?: boolean | undefined
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Sampling settings; what a provider does not know it ignores or refuses, as its API says. */
export interface Settings {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly seed?: number | undefined
}

/** May the model call tools, must it, or must it call this one? */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface LMRequest {
  readonly messages: readonly Message[]
  /** Absent when the model is offered none. */
  readonly tools?: readonly ToolSpec[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** False asks for at most one call in a turn. */
  readonly parallelToolCalls?: boolean | undefined
  readonly settings?: Settings | undefined
  /** Sent to the provider as they are, beside what the wire format makes. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** Why a turn ended. Never a test for calls: some providers say `stop` beside a call. */
export type Finish = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** Tokens: `inputTokens` counts cache reads and writes in, `outputTokens` counts reasoning in. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/** An error that a provider sent as a reply or inside a stream. */
export interface ProviderError {
  readonly message: string
  readonly code?: string | undefined
}

export interface LMResponse {
  readonly text: string
  readonly toolCalls: readonly RawToolCall[]
  readonly reasoning?: string | undefined
  readonly refusal?: string | undefined
  readonly finish?: Finish | undefined
  /** The provider's own word for `finish`. */
  readonly rawFinish?: string | undefined
  readonly usage?: Usage | undefined
  readonly error?: ProviderError | undefined
  /** Blocks of the text that began as calls and could not be read, cut off or malformed; they stand in `text` too. */
  readonly unreadCalls?: readonly string[] | undefined
  /** What the assistant's message must carry when it goes back to this provider. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The provider's reply; absent for a streamed response. */
  readonly raw?: unknown
}

/** One piece of a streamed response. `index` counts the calls of the response from 0. */
export type LMDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'call_start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  | {
      readonly type: 'call_end'
      readonly index: number
      readonly truncated?: boolean | undefined
      readonly metadata?: RawToolCall['metadata']
    }
  | { readonly type: 'unread_call'; readonly text: string }
  | { readonly type: 'finish'; readonly finish: Finish; readonly rawFinish?: string | undefined }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'metadata'; readonly metadata: NonNullable<LMResponse['metadata']> }
  | { readonly type: 'error'; readonly error: ProviderError }

export interface LMOptions {
  readonly signal?: AbortSignal | undefined
}

/** A language model: one method is enough. */
export interface LM {
  generate(request: LMRequest, options?: LMOptions): Promise<LMResponse>
  stream?(request: LMRequest, options?: LMOptions): AsyncIterable<LMDelta>
}
