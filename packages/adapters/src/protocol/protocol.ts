/** Requests to a language model and its responses, independent of the provider. Types only. */
import type { ContentPart, ToolSpec } from '@x/tool-core'

/** A tool call as the model wrote it, with its arguments as text. */
export interface RawToolCall {
  /** Unique within its response; generated if the provider sent none. */
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** True if the call is incomplete. Must not be executed. */
  readonly truncated?: boolean | undefined
  /** Data that the provider sent with the call and needs back (its own id, a thought signature). */
  readonly metadata?: Metadata | undefined
  /** Deviations from the dialect, for a call that was read from text. */
  readonly tags?: readonly CallTag[] | undefined
}

/**
 * - `unknown_tool`: the request has no tool with this name.
 * - `missing_end`: the text or the next call came before the end marker.
 * - `repaired`: its form was repaired to match the dialect.
 * - `coerced`: an argument was converted to the type in its schema.
 * - `repeated_parameter`: a parameter was written twice.
 * - `rescued`: the call was found in the text of a model with function calling.
 */
export type CallTag = 'unknown_tool' | 'missing_end' | 'repaired' | 'coerced' | 'repeated_parameter' | 'rescued'

/** Plain data under the name of the wire format that wrote it: `{ gemini: { … } }`. Other wire formats ignore it. */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A call to one of the provider's own tools (web search, hosted code, a shell). It is never one of the request's tools, and never
 * dispatched. `by` is the side that executes it: the provider, which already has, or the client.
 */
export interface ProviderCall {
  /** The provider's type name: `web_search_call`, `server_tool_use`. */
  readonly type: string
  readonly by: 'provider' | 'client'
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** The whole block as the provider sent it. */
  readonly raw: unknown
}

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
  /** Content that is more than text, sent instead of `content`. `toContent` creates both. */
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
  /** Same as in a user message. */
  readonly parts?: readonly ContentPart[] | undefined
  readonly isError?: boolean | undefined
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Sampling settings. A setting that an API doesn't support isn't sent, and is reported as a loss. */
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

/** Requests a reply that is one JSON value, matching `schema` if given. */
export interface ResponseFormat {
  readonly type: 'json'
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  /** Name of the schema in the API. Default: `response`. */
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** Whether the model may call tools, must call one, must not call any, or must call the named one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface LMRequest {
  readonly messages: readonly Message[]
  /** Absent if there are no tools. */
  readonly tools?: readonly ToolSpec[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** False requests at most one call per turn. */
  readonly parallelToolCalls?: boolean | undefined
  /** True requests strict mode for each tool whose schema the provider's strict mode supports. */
  readonly strictTools?: boolean | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly settings?: Settings | undefined
  /** Merged deeply into the body. Values here override those of the wire format. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** Why a turn ended, normalized. Don't use it to detect calls: some providers report `stop` with calls. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** Token counts. `inputTokens` includes cache reads and writes; `outputTokens` includes reasoning. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Part of the input tokens: read from, and written to, the provider's cache. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  /** Part of the output tokens: reasoning. */
  readonly reasoningTokens?: number | undefined
}

/** An error that a provider sent as a reply or in a stream. */
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
  /** The provider's finish reason. */
  readonly rawFinishReason?: string | undefined
  readonly usage?: Usage | undefined
  readonly error?: ProviderError | undefined
  /** Calls to the provider's own tools. */
  readonly providerCalls?: readonly ProviderCall[] | undefined
  /** Malformed calls: blocks of text that began as calls and were truncated or couldn't be parsed. Most are also in `text`. */
  readonly malformedCalls?: readonly string[] | undefined
  /** Data that the assistant message must carry when it is sent back to this provider. */
  readonly metadata?: Metadata | undefined
  /** The provider's reply; absent for a streamed response. */
  readonly raw?: unknown
}

/** A piece of a streamed response. `index` is the call's position in the response, starting at 0. */
export type LMDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'call_start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  | {
      readonly type: 'call_end'
      readonly index: number
      /** The complete arguments, if they differ from the pieces: the provider corrected them, or a schema was mapped back. */
      readonly arguments?: string | undefined
      readonly truncated?: boolean | undefined
      readonly metadata?: RawToolCall['metadata']
      readonly tags?: RawToolCall['tags']
    }
  | {
      readonly type: 'malformed_call'
      readonly text: string
      /** Index of a call that was started and turned out to be malformed. Discard the parts received so far. */
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

/** A language model. Only `generate` is required. */
export interface LM {
  generate(request: LMRequest, options?: LMOptions): Promise<LMResponse>
  stream?(request: LMRequest, options?: LMOptions): AsyncIterable<LMDelta>
}
