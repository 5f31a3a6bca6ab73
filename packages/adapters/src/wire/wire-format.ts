/** The contract of a wire format: one provider API's JSON, from canonical requests and to canonical responses. Pure. */
import type { LMDelta, LMRequest, LMResponse, ProviderError } from '../protocol.ts'

/** Reads the events of one streamed reply. Never throws on what a provider sends. A `finish` delta says that the reply is complete. */
export interface StreamDecoder<Event = unknown> {
  push(event: Event): readonly LMDelta[]
  /** The stream is over: closes what is open. */
  end(): readonly LMDelta[]
}

export interface EncodeOptions {
  readonly stream?: boolean | undefined
}

/** `encode` and `decode` are enough; what is optional adds streaming and readable errors. */
export interface WireFormat<Body = unknown, Reply = unknown> {
  readonly name: string
  /** Path of the endpoint under the base URL. */
  readonly path: string
  encode(request: LMRequest, model: string, options?: EncodeOptions): Body
  /** The request is at hand to map back what `encode` renamed. */
  decode(reply: Reply, request?: LMRequest): LMResponse
  /** Takes the parsed JSON of each server-sent event, without the closing `[DONE]`. */
  streamDecoder?(request?: LMRequest): StreamDecoder
  /** The error in the body of a reply whose HTTP status says that it failed. */
  decodeError?(body: unknown): ProviderError | undefined
  /** The headers that carry the API key; a bearer token unless told. */
  authHeaders?(apiKey: string): Readonly<Record<string, string>>
}
