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
  /** How a call that was parsed from text deviates from the format of its dialect. */
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

/** Plain data, stored under the name of its wire format: `{ gemini: { … } }`. Each wire format ignores the data of others. */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A call to one of the provider's own tools, such as web search, hosted code or a shell. The request doesn't declare these tools, and an
 * agent never executes the call. `by` is `provider` if the provider has already executed the call, and `client` if the client must
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
  /** Content with images or files. Sent instead of `content`. `toContent` creates both fields. */
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
  /** The content with images or files: see `UserMessage`. */
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

/**
 * How much the model reasons before it answers. `{ tokens }` is a budget. What a model can't do is replaced by the nearest that it can, and
 * reported as a loss: a budget by an effort, or `off` by the lowest effort of a model that always reasons.
 */
export type ReasoningSetting = 'off' | 'low' | 'medium' | 'high' | { readonly tokens: number }

/** Requests a reply that consists of one JSON value, and matches `schema` if given. */
export interface ResponseFormat {
  readonly type: 'json'
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  /** Name of the schema in the API. Default: `response`. */
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/**
 * `auto`: the model may call tools. `none`: it must not call any. `required`: it must call at least one. With a name: it must call that
 * tool.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Tools that stay out of the prompt until the provider's search finds them. The model then calls them by their names. */
export interface ProviderSearch {
  readonly tools: readonly ToolSpec[]
  /** Names of the request's tools that search in place of the provider. They aren't sent if the provider searches. */
  readonly instead?: readonly string[] | undefined
}

/**
 * A place in the prompt up to which the provider caches it: after the tools, after the system prompt, after the last message that isn't the
 * model's, or after the message with this index.
 */
export type CachePoint = 'tools' | 'system' | 'turn' | number

export interface LMRequest {
  readonly messages: readonly Message[]
  /** Absent if there are no tools. */
  readonly tools?: readonly ToolSpec[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** Tools that the provider searches, if its API can do so for the model. Otherwise they aren't sent, which is reported as a loss. */
  readonly search?: ProviderSearch | undefined
  /** If false, requests at most one call per turn. */
  readonly parallelToolCalls?: boolean | undefined
  /** If true, requests strict mode for each tool whose schema the provider supports in that mode. */
  readonly strictTools?: boolean | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly settings?: Settings | undefined
  /** Default: the model's own. */
  readonly reasoning?: ReasoningSetting | undefined
  /**
   * Use of the provider's prompt cache. `auto`: what the API needs to cache the prompt of a growing conversation: marks, or a key. `off`: none
   * of it. A list of points: marks at these places, where the API has them. Default: `off`, and `auto` for a model of `createLM`.
   */
  readonly cache?: 'auto' | 'off' | readonly CachePoint[] | undefined
  /** Merged deeply into the body of the request. These values override those that the wire format writes, and `tools` are added. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** The normalized reason why a turn ended. Don't use it to detect calls, because some providers report `stop` for a reply with calls. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** Token counts. `inputTokens` includes cache reads and writes; `outputTokens` includes reasoning. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Input tokens read from the provider's cache or written to it. Included in `inputTokens`. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  /** Reasoning tokens. Included in `outputTokens`. */
  readonly reasoningTokens?: number | undefined
}

/** The output limit that truncated a reply. `isMaximum` is true if the model allows no higher one. */
export interface OutputLimit {
  readonly tokens: number
  readonly isMaximum: boolean
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
  /** The provider's own name for the finish reason. */
  readonly rawFinishReason?: string | undefined
  /** The limit that truncated the reply, if the finish reason is `length` and the limit is known. */
  readonly outputLimit?: OutputLimit | undefined
  readonly usage?: Usage | undefined
  readonly error?: ProviderError | undefined
  /** Calls to the provider's own tools. */
  readonly providerCalls?: readonly ProviderCall[] | undefined
  /** Blocks of text that began like calls, but were truncated or couldn't be parsed. Most of these blocks are also in `text`. */
  readonly malformedCalls?: readonly string[] | undefined
  /** Data that must be part of the assistant message when it is sent back to this provider. */
  readonly metadata?: Metadata | undefined
  /** The provider's reply as it was received. Absent in a streamed response. */
  readonly raw?: unknown
}

/** A piece of a streamed response. `index` is the position of the call in the response, starting at 0. */
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
       * The complete arguments, if they differ from the streamed pieces because the provider corrected them, or because they were
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
      /** Index of a call that had started when it turned out to be malformed. Discard everything received for this call. */
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
