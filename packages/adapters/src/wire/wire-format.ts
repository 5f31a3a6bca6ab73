/** The contract of a wire format: one provider API's JSON, from canonical requests and to canonical responses. Pure. */
import type { LMDelta, LMRequest, LMResponse, ProviderError } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ToolRules } from '../shaping/tool-rules.ts'

/** Reads the events of one streamed reply. Never throws on what a provider sends. A `finish` delta says that the reply is complete. */
export interface StreamDecoder<Event = unknown> {
  push(event: Event): readonly LMDelta[]
  /** The stream is over: closes what is open. `isDone` when the framing itself said that the reply is complete (`[DONE]`). */
  end(isDone?: boolean): readonly LMDelta[]
}

export interface EncodeOptions {
  readonly stream?: boolean | undefined
  /** Is told of everything in the request that the body does not say as it was meant. */
  readonly onLoss?: ((loss: Loss) => void) | undefined
}

/** How the events of a streamed reply are told apart; see `StreamDecoder`. */
export type Framing = 'sse' | 'ndjson' | 'aws-event-stream'

/** `encode` and `decode` are enough; what is optional adds streaming, shaping and readable errors. */
export interface WireFormat<Body = unknown, Reply = unknown> {
  readonly name: string
  /** Path of the endpoint under the base URL; it may end in a query. */
  readonly path: string | ((model: string, stream: boolean) => string)
  /** Of a streamed reply; `sse` unless told. */
  readonly framing?: Framing | undefined
  encode(request: LMRequest, model: string, options?: EncodeOptions): Body
  /** Request and model are at hand to map back what `encode` renamed and reshaped for them. */
  decode(reply: Reply, request?: LMRequest, model?: string): LMResponse
  /**
   * Takes the parsed JSON of each event, in the order of the stream and without a closing `[DONE]`. An event whose JSON has no
   * `type` gets the name of its server-sent event as `_event`; an AWS event is `{ [name]: payload }`.
   */
  streamDecoder?(request?: LMRequest, model?: string): StreamDecoder
  /** The error in the body of a reply whose HTTP status says that it failed. */
  decodeError?(body: unknown): ProviderError | undefined
  /**
   * What the model wrote, where a reply that failed by its HTTP status holds it all the same: Groq's `failed_generation`. Its
   * calls are those of a reply; undefined when there is nothing that can be read whole.
   */
  decodeFailure?(body: unknown, request?: LMRequest, model?: string): LMResponse | undefined
  /** The headers that carry the API key; a bearer token unless told. */
  authHeaders?(apiKey: string): Readonly<Record<string, string>>
  /** Headers of every request, beside those of the key: the version of the API. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What a model of this API takes of a tool; absent when it takes everything. */
  toolRules?(model: string): ToolRules
}
