/** What goes to a language model and what comes back, independent of any provider. Types only. */
import type { ToolSpec } from '@x/tool-core'
import type { ContentPart } from './content.ts'

/** A tool call as a model wrote it: the arguments are still text. */
export interface RawToolCall {
  /** Unique in its response; minted where the provider sent none. */
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The text was cut off: never to be executed. */
  readonly truncated?: boolean | undefined
  /** What the provider sent beside it and wants back (its own id, a thought signature). */
  readonly metadata?: Metadata | undefined
  /** For a call that was read out of text: how it differs from what its dialect asks for. */
  readonly tags?: readonly CallTag[] | undefined
}

/**
 * - `unknown_tool`: the request has no tool of this name. - `missing_end`: the text or the next call came before its end marker.
 * - `repaired`: its form was not quite that of the dialect. - `coerced`: an argument was read as its schema asks, where its text
 * is not what a JSON value of that type looks like. - `repeated_parameter`: one was written twice. - `rescued`: it stood in the
 * prose of a model that has function calling.
 */
export type CallTag = 'unknown_tool' | 'missing_end' | 'repaired' | 'coerced' | 'repeated_parameter' | 'rescued'

/** Plain data under the name of the wire format that wrote it, and that alone reads it again: `{ gemini: { … } }`. */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A call of one of the provider's own tools (a web search, hosted code, a shell), never one of the request's tools and never to
 * be dispatched. `by` says who runs it: the provider, which has done so by now, or the client, whom the provider asks.
 */
export interface ProviderCall {
  /** The provider's word for its kind: `web_search_call`, `server_tool_use`. */
  readonly type: string
  readonly by: 'provider' | 'client'
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** The whole block as the provider wrote it. */
  readonly raw: unknown
}

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
  /** The content where it is more than text, sent in its place: `toContent` makes both. */
  readonly parts?: readonly ContentPart[] | undefined
}
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly reasoning?: string | undefined
  readonly toolCalls?: readonly RawToolCall[] | undefined
  readonly metadata?: Metadata | undefined
}
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly name: string
  readonly content: string
  /** As in a message of the user. */
  readonly parts?: readonly ContentPart[] | undefined
  readonly isError?: boolean | undefined
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Sampling settings. One that an API has no place for is not sent, and is reported as a loss. */
export interface Settings {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly frequencyPenalty?: number | undefined
}

/** Asks for a reply that is one JSON value, of this schema where one is given. */
export interface ResponseFormat {
  readonly type: 'json'
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  /** What the API calls the schema; `response` unless told. */
  readonly name?: string | undefined
  readonly description?: string | undefined
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
  /** True asks the provider to hold the model to the tools' schemas, for each tool whose schema its strict mode takes. */
  readonly strictTools?: boolean | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly settings?: Settings | undefined
  /** Merged into the body, object by object; a value here replaces what the wire format wrote. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** Why a turn ended. Never a test for calls: some providers say `stop` beside a call. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** Tokens: `inputTokens` counts cache reads and writes in, `outputTokens` counts reasoning in. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Of the input: read from the provider's cache, and written to it. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  /** Of the output: what the model thought. */
  readonly reasoningTokens?: number | undefined
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
  readonly finishReason?: FinishReason | undefined
  /** The provider's own word for `finishReason`. */
  readonly rawFinishReason?: string | undefined
  readonly usage?: Usage | undefined
  readonly error?: ProviderError | undefined
  /** Calls of the provider's own tools. */
  readonly providerCalls?: readonly ProviderCall[] | undefined
  /** Blocks of the text that began as calls and could not be read, cut off or malformed; most stand in `text` too. */
  readonly malformedCalls?: readonly string[] | undefined
  /** What the assistant's message must carry when it goes back to this provider. */
  readonly metadata?: Metadata | undefined
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
      /** The whole text, where it is not what the pieces make: the provider corrected it, or a schema was mapped back. */
      readonly arguments?: string | undefined
      readonly truncated?: boolean | undefined
      readonly metadata?: RawToolCall['metadata']
      readonly tags?: RawToolCall['tags']
    }
  | {
      readonly type: 'malformed_call'
      readonly text: string
      /** The call that was started and is none: what has come of it does not count. */
      readonly index?: number | undefined
    }
  | { readonly type: 'provider_call'; readonly call: ProviderCall }
  | { readonly type: 'finish'; readonly finishReason: FinishReason; readonly rawFinishReason?: string | undefined }
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
