/** The types of the wire format contract: its samples and its checks. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../protocol/protocol.ts'
import type { WireFormat } from '../wire/wire-format.ts'

export interface WireContractOptions {
  /** A model of the API, which is passed to `encode`. */
  readonly model: string
  /**
   * Replies of the provider. Include at least one with calls, and one of each kind. If the wire format decodes streams, each kind
   * is also needed as a stream.
   */
  readonly samples: readonly WireSample[]
  /** Kinds of replies that the API never sends, and features that none of its replies has. Default: none. */
  readonly lacks?: readonly (WireSampleKind | WireSampleFeature)[] | undefined
  /** How the API matches a result to its call. Default: `id`. `order` is for APIs without ids. */
  readonly pairsBy?: 'id' | 'order' | undefined
  /** Wire formats that must be able to continue a conversation that was started with this one. */
  readonly others?: readonly { readonly wire: WireFormat; readonly model: string }[] | undefined
}

/**
 * Kinds of replies that are easy to decode incorrectly:
 * - `cut`: the reply reached its length limit inside a call, so that the call is `truncated`.
 * - `error`: the provider reports an error, in the reply or in an event.
 * - `text_behind_calls`: the model writes text after its calls.
 * - `stop_beside_calls`: the reply has calls, but the finish reason of a reply without calls.
 * - `cached_tokens`: some of the input came from the provider's cache.
 */
export type WireSampleKind = 'cut' | 'error' | 'text_behind_calls' | 'stop_beside_calls' | 'cached_tokens'

/**
 * Features that are easily lost, and the fields that a sample must declare for each, complete and streamed:
 * - `reasoning`: `reasoning`. - `refusal`: `refusal`. - `metadata`: `kept`. - `provider_calls`: `providerCalls`.
 * - `usage`: `usage`. - `raw_finish`: `rawFinishReason`. - `error_code`: an `error` with a `code`.
 * - `image_result`: calls, and `sent`.
 * - `spelling`: a call with `json`, in which the keys aren't in alphabetical order and a string contains two spaces.
 */
export type WireSampleFeature =
  | 'reasoning'
  | 'refusal'
  | 'metadata'
  | 'provider_calls'
  | 'usage'
  | 'raw_finish'
  | 'error_code'
  | 'image_result'
  | 'spelling'

/** A reply of the provider: complete, streamed, or both. */
export interface WireSample {
  readonly name: string
  /** The kind of the reply. Default: an ordinary reply. */
  readonly kind?: WireSampleKind | undefined
  /** The parsed JSON of the complete reply. */
  readonly reply?: unknown
  /** Events of the same reply, as passed to `StreamDecoder.push`. */
  readonly events?: readonly unknown[] | undefined
  /** The expected text. */
  readonly text: string
  readonly calls: readonly WireSampleCall[]
  /** The expected reasoning. Like all fields below, compared only if set. */
  readonly reasoning?: string | undefined
  /** The provider's or model's refusal. Never part of `text`. */
  readonly refusal?: string | undefined
  /** Calls to the provider's own tools: their types, or objects with some of their fields. They aren't part of `calls`. */
  readonly providerCalls?: readonly (string | WireSampleProviderCall)[] | undefined
  /** Strings that must be sent back to the provider with the turn, such as signatures and item ids. */
  readonly kept?: readonly string[] | undefined
  /**
   * The expected finish reason. Default: `error` if there is an error, `length` if a call is truncated, `tool-calls` if there are calls,
   * otherwise `stop`.
   */
  readonly finishReason?: FinishReason | undefined
  /** The provider's own finish reason. */
  readonly rawFinishReason?: string | undefined
  /** The expected error. Its code is compared if set. */
  readonly error?: ProviderError | undefined
  /**
   * The expected end of the body's list of messages, after each call of the reply has returned `IMAGE_RESULT`: the results, and
   * whatever follows them. Write it as the API documents it.
   */
  readonly sent?: readonly unknown[] | undefined
  /** The expected token counts. All of them are compared. */
  readonly usage?: Usage | undefined
}

export interface WireSampleCall {
  readonly name: string
  /** The expected arguments. Required unless the call is truncated. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The arguments as the provider writes them: their text, or the output of `JSON.stringify` if the API sends objects. */
  readonly json?: string | undefined
  /** True if the reply was truncated inside this call. */
  readonly truncated?: true | undefined
}

export type WireSampleProviderCall = Pick<ProviderCall, 'type'> & Partial<Pick<ProviderCall, 'by' | 'id' | 'name'>>

export interface WireCheck {
  readonly id: WireCheckId
  /** A sentence that describes the rule, for use as a test name. */
  readonly name: string
  /** Throws `ContractError` if the wire format breaks the rule. */
  run(): void
}

export type WireCheckId =
  | 'encode-pure'
  | 'encode-stable'
  | 'encode-json'
  | 'encode-path'
  | 'encode-prefix'
  | 'encode-odd'
  | 'no-tools'
  | 'tools-sent'
  | 'names-legal'
  | 'names-in-messages'
  | 'names-restored'
  | 'ids-paired'
  | 'ids-unique'
  | 'error-results'
  | 'arguments-broken'
  | 'media-user'
  | 'media-result'
  | 'media-results'
  | 'image-result'
  | 'settings'
  | 'tool-options'
  | 'tool-choice'
  | 'response-format'
  | 'provider-options'
  | 'losses'
  | 'losses-schema'
  | 'losses-reasoning'
  | 'decode-sample'
  | 'decode-garbage'
  | 'decode-mutants'
  | 'decode-error'
  | 'finish'
  | 'calls-cut'
  | 'text-behind-calls'
  | 'error-replies'
  | 'stream-errors'
  | 'usage'
  | 'reasoning'
  | 'raw-finish'
  | 'provider-calls'
  | 'metadata-kept'
  | 'arguments-spelling'
  | 'metadata'
  | 'metadata-hostile'
  | 'stream-sample'
  | 'stream-garbage'
  | 'stream-deltas'
  | 'stream-apart'
  | 'stream-cut'
  | 'stream-unknown'
  | 'stream-repeated'
  | 'stream-whole'
  | 'round-trip'
  | 'round-trip-saved'
  | 'round-trip-foreign'
  | 'round-trip-others'

/** The argument of a check: the wire format, and the options with their defaults. */
export interface Subject extends WireContractOptions {
  readonly wire: WireFormat
  readonly pairsBy: 'id' | 'order'
  readonly others: NonNullable<WireContractOptions['others']>
}

export interface CheckDefinition {
  readonly id: WireCheckId
  readonly name: string
  check(subject: Subject): void
}
