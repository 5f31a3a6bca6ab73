/** The types of requests to a language model and of its responses, independent of the provider. Types only. */
import type { ContentPart, ToolSpec } from '@x/tool-core'

/** A tool call as the model wrote it, with its arguments as text. */
export interface RawToolCall {
  /** Unique within its response. Generated if the provider sends no id. */
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** True if the call is incomplete. An incomplete call must not be executed. */
  readonly truncated?: boolean | undefined
  /** Data that the provider sent with the call and must receive back, such as its own id or a thought signature. */
  readonly metadata?: Metadata | undefined
  /** How a call that was parsed from text deviates from its dialect. */
  readonly tags?: readonly CallTag[] | undefined
}

/**
 * How a call deviates from its dialect:
 * - `unknown_tool`: the request has no tool with this name.
 * - `missing_end`: the text ended, or the next call began, before the end marker.
 * - `repaired`: the form of the call was repaired to match the dialect.
 * - `coerced`: an argument was converted to the type in its schema.
 * - `repeated_parameter`: a parameter was written twice.
 * - `rescued`: the call was found in the text of a model with function calling.
 */
export type CallTag = 'unknown_tool' | 'missing_end' | 'repaired' | 'coerced' | 'repeated_parameter' | 'rescued'

/** Plain data under the name of its wire format: `{ gemini: { … } }`. Wire formats ignore the data of others. */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A call to a tool of the provider itself, such as web search, hosted code or a shell. The request doesn't declare these tools,
 * and agents never execute the call. `by` is `provider` if the provider has already executed it, and `client` if the client must
 * execute it.
 */
export interface ProviderCall {
  /** The call's type as the provider names it, such as `web_search_call` or `server_tool_use`. */
  readonly type: string
  readonly by: 'provider' | 'client'
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** The complete block as the provider sent it. */
  readonly raw: unknown
}

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
  /** Content with images or files, which is sent instead of `content`. `toContent` creates both fields. */
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
  /** Content with images or files; see `UserMessage`. */
  readonly parts?: readonly ContentPart[] | undefined
  readonly isError?: boolean | undefined
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Sampling settings. If an API doesn't support a setting, it isn't sent and is reported as a loss. */
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

/**
 * How much the model reasons before it answers. `{ tokens }` is a token budget. A setting that the model doesn't support is
 * replaced with the nearest one and reported as a loss. For example, a budget becomes an effort level, and `off` becomes the
 * lowest level of a model that always reasons.
 */
export type ReasoningSetting = 'off' | 'low' | 'medium' | 'high' | { readonly tokens: number }

/** Asks for a reply that is a single JSON value, and that matches `schema` if it is set. */
export interface ResponseFormat {
  readonly type: 'json'
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  /** Name of the schema in the API request. Default: `response`. */
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/**
 * Whether the model calls tools. `auto`: it may. `none`: it must not. `required`: it must call at least one. `{ name }`: it must
 * call this tool.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Tools that aren't in the prompt until the provider's tool search finds them. The model then calls them by name. */
export interface ProviderSearch {
  readonly tools: readonly ToolSpec[]
  /** Names of the request's tools that search if the provider can't. They aren't sent if the provider searches. */
  readonly instead?: readonly string[] | undefined
}

/**
 * A position in the prompt up to which the provider caches it. `tools`: after the tools. `system`: after the system prompt.
 * `turn`: after the last message that isn't the model's. A number: after the message with this index.
 */
export type CachePoint = 'tools' | 'system' | 'turn' | number

export interface LMRequest {
  readonly messages: readonly Message[]
  /** The tools that the model may call. Absent if there are none. */
  readonly tools?: readonly ToolSpec[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  /**
   * Tools for the provider's tool search, if its API supports that for the model. Otherwise they aren't sent, which is reported
   * as a loss.
   */
  readonly search?: ProviderSearch | undefined
  /** If false, asks for at most one call per turn. */
  readonly parallelToolCalls?: boolean | undefined
  /** If true, asks for strict mode for each tool whose schema the provider supports in that mode. */
  readonly strictTools?: boolean | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly settings?: Settings | undefined
  /** How much the model reasons. Default: the model's own default. */
  readonly reasoning?: ReasoningSetting | undefined
  /**
   * How to use the provider's prompt cache. `auto` sends the cache points or the key that the API needs to cache a growing
   * conversation. `off` sends none. A list sends cache points at these positions, if the API has them. Default: `off`; for a
   * model of `createLM`, `auto`.
   */
  readonly cache?: 'auto' | 'off' | readonly CachePoint[] | undefined
  /** Merged deeply into the request body. Replaces values that the wire format writes; `tools` are appended instead. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** The normalized reason why a turn ended. Don't use it to detect calls, because some providers report `stop` for a reply with calls. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** Token counts. `inputTokens` includes tokens read from and written to the cache; `outputTokens` includes reasoning. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Input tokens read from the provider's cache or written to it. Included in `inputTokens`. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  /** Reasoning tokens. Included in `outputTokens`. */
  readonly reasoningTokens?: number | undefined
}

/** The output limit that truncated a reply. `isMaximum` is true if the model has no higher limit. */
export interface OutputLimit {
  readonly tokens: number
  readonly isMaximum: boolean
}

/** An error that a provider sent in a successful reply or in a stream. */
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
  /** The provider's own name for the finish reason. */
  readonly rawFinishReason?: string | undefined
  /** The limit that truncated the reply, if the finish reason is `length` and the limit is known. */
  readonly outputLimit?: OutputLimit | undefined
  readonly usage?: Usage | undefined
  readonly error?: ProviderError | undefined
  /** Calls to the provider's own tools. */
  readonly providerCalls?: readonly ProviderCall[] | undefined
  /** Blocks of text that started like calls but were truncated or couldn't be parsed. Most of them are also in `text`. */
  readonly malformedCalls?: readonly string[] | undefined
  /** Data to include in the assistant message when it is sent back to this provider. */
  readonly metadata?: Metadata | undefined
  /** The provider's reply as received. Absent if the response was streamed. */
  readonly raw?: unknown
}

/** A piece of a streamed response. `index` is the position of a call in the response, starting with 0. */
export type LMDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'call_start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  | {
      readonly type: 'call_end'
      readonly index: number
      /**
       * The complete arguments. Set if they differ from the streamed pieces, because the provider corrected them or they were
       * converted back to the tool's schema.
       */
      readonly arguments?: string | undefined
      readonly truncated?: boolean | undefined
      readonly metadata?: RawToolCall['metadata']
      readonly tags?: RawToolCall['tags']
    }
  | {
      readonly type: 'malformed_call'
      readonly text: string
      /** Index of a call that turned out to be malformed after it had started. Discard everything that was received for it. */
      readonly index?: number | undefined
    }
  | { readonly type: 'provider_call'; readonly call: ProviderCall }
  | {
      readonly type: 'finish'
      readonly finishReason: FinishReason
      readonly rawFinishReason?: string | undefined
      readonly outputLimit?: OutputLimit | undefined
    }
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
