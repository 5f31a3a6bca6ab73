/** What the contract of wire formats is about: samples of replies, and checks over them. Types only. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../protocol/protocol.ts'
import type { WireFormat } from '../wire/wire-format.ts'

export interface WireContractOptions {
  /** A model of the API, as `encode` takes it. */
  readonly model: string
  /** Replies of the provider; at least one with calls and one of each kind, and where the wire format reads streams, streamed ones too. */
  readonly samples: readonly WireSample[]
  /** Kinds that the API has no reply of, and features that none of its replies has. Default: none. */
  readonly lacks?: readonly (WireSampleKind | WireSampleFeature)[] | undefined
  /** How the API knows which call a result is for; `id` unless told, `order` where it takes no ids. */
  readonly pairsBy?: 'id' | 'order' | undefined
  /** Wire formats that go on with a conversation of this one. */
  readonly others?: readonly { readonly wire: WireFormat; readonly model: string }[] | undefined
}

/**
 * What a wire format easily gets wrong:
 * - `cut`: the reply reached its limit inside a call, which is `truncated`. - `error`: the provider reports an error, in the reply or
 * in an event. - `text_behind_calls`: the model writes on after its calls. - `stop_beside_calls`: the provider's reason is the one of
 * a reply without calls. - `cached_tokens`: some of the input came from the provider's cache.
 */
export type WireSampleKind = 'cut' | 'error' | 'text_behind_calls' | 'stop_beside_calls' | 'cached_tokens'

/**
 * What a wire format easily loses, and what a sample must say for each, whole and streamed:
 * - `reasoning`: `reasoning`. - `refusal`: `refusal`. - `metadata`: `kept`. - `provider_calls`: `providerCalls`. - `usage`: `usage`. - `raw_finish`: `rawFinishReason`.
 * - `error_code`: an `error` with a `code`. - `spelling`: a call with `json`, whose keys aren't in the order of the alphabet, and with two blanks in a text.
 */
export type WireSampleFeature =
  | 'reasoning'
  | 'refusal'
  | 'metadata'
  | 'provider_calls'
  | 'usage'
  | 'raw_finish'
  | 'error_code'
  | 'spelling'

/** One reply: whole, streamed, or both ways. */
export interface WireSample {
  readonly name: string
  /** Default: a reply of no special kind. */
  readonly kind?: WireSampleKind | undefined
  /** The parsed JSON of the whole reply. */
  readonly reply?: unknown
  /** The events of the same reply, as `StreamDecoder.push` takes them. */
  readonly events?: readonly unknown[] | undefined
  /** What the model says in it. */
  readonly text: string
  readonly calls: readonly WireSampleCall[]
  /** What the model thinks in it. Compared where it is there, as all that follows. */
  readonly reasoning?: string | undefined
  /** The text with which the provider or the model refuses: never part of `text`. */
  readonly refusal?: string | undefined
  /** The provider's own calls in it, which are none of `calls`: their types, or what else is known of them. */
  readonly providerCalls?: readonly (string | WireSampleProviderCall)[] | undefined
  /** Texts that the provider wants back with the turn, such as signatures and ids of items. */
  readonly kept?: readonly string[] | undefined
  /** Default: `error` beside an error, `length` where a call is truncated, `tool-calls` beside calls, else `stop`. */
  readonly finishReason?: FinishReason | undefined
  /** The provider's own word for it. */
  readonly rawFinishReason?: string | undefined
  /** The error that is reported; its code is compared where it has one. */
  readonly error?: ProviderError | undefined
  /** Compared count by count. */
  readonly usage?: Usage | undefined
}

export interface WireSampleCall {
  readonly name: string
  /** Needed unless the call is truncated. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The arguments as the provider spells them: as text, or for an API of objects as `JSON.stringify` writes the object. */
  readonly json?: string | undefined
  /** The reply was cut off inside this call. */
  readonly truncated?: true | undefined
}

export type WireSampleProviderCall = Pick<ProviderCall, 'type'> & Partial<Pick<ProviderCall, 'by' | 'id' | 'name'>>

export interface WireCheck {
  readonly id: WireCheckId
  /** A sentence, for the name of a test. */
  readonly name: string
  /** Throws `ContractError` when the wire format breaks the rule. */
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

/** What a check is about: the options with their defaults. */
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
