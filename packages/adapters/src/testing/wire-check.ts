/** What the contract of wire formats is about: samples of replies, and checks over them. Types only. */
import type { WireFormat } from '../wire/wire-format.ts'

export interface WireContractOptions {
  /** A model of the API, as `encode` takes it. */
  readonly model: string
  /** Replies of the provider; at least one with calls, and where the wire format reads streams, at least one streamed with calls. */
  readonly samples: readonly WireSample[]
  /** How the API knows which call a result is for; `id` unless told, `order` where it takes no ids. */
  readonly pairsBy?: 'id' | 'order' | undefined
  /** Wire formats that go on with a conversation of this one. */
  readonly others?: readonly { readonly wire: WireFormat; readonly model: string }[] | undefined
}

/** One reply: whole, streamed, or both ways. */
export interface WireSample {
  readonly name: string
  /** The parsed JSON of the whole reply. */
  readonly reply?: unknown
  /** The events of the same reply, as `StreamDecoder.push` takes them. */
  readonly events?: readonly unknown[] | undefined
  /** What the model says in it. */
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** The types of the provider's own calls in it, which are none of `calls`. */
  readonly providerCalls?: readonly string[] | undefined
}

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
  | 'response-format'
  | 'provider-options'
  | 'losses'
  | 'decode-sample'
  | 'decode-garbage'
  | 'decode-mutants'
  | 'decode-error'
  | 'usage'
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
