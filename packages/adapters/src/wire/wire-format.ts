/** The contract for a wire format: one provider API's JSON, from canonical requests and to canonical responses. Pure. */
import type { LMDelta, LMRequest, LMResponse, ProviderError } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'

/**
 * Decodes the events of one streamed reply. Never throws on what a provider sends. A `finish` delta means that the reply is
 * complete.
 */
export interface StreamDecoder<Event = unknown> {
  push(event: Event): readonly LMDelta[]
  /** Ends the stream and closes what is open. `isDone` is true if the framing reported a complete reply (`[DONE]`). */
  end(isDone?: boolean): readonly LMDelta[]
}

export interface EncodeOptions {
  readonly stream?: boolean | undefined
  /** Called for everything in the request that the body doesn't express as intended. */
  readonly onLoss?: ((loss: Loss) => void) | undefined
}

/** How the events of a streamed reply are separated; see `StreamDecoder`. */
export type Framing = 'sse' | 'ndjson' | 'aws-event-stream'

/** Only `encode` and `decode` are required. The other members add streaming, shaping and readable errors. */
export interface WireFormat<Body = unknown, Reply = unknown> {
  readonly name: string
  /** Path of the endpoint under the base URL. May end with a query. */
  readonly path: string | ((model: string, stream: boolean) => string)
  /** Framing of a streamed reply. Default: `sse`. */
  readonly framing?: Framing | undefined
  encode(request: LMRequest, model: string, options?: EncodeOptions): Body
  /** Decodes a reply. Request and model are used to map back what `encode` renamed and reshaped. */
  decode(reply: Reply, request?: LMRequest, model?: string): LMResponse
  /**
   * Creates a decoder that takes the parsed JSON of each event, in the order of the stream and without a closing `[DONE]`. An
   * event without a `type` in its JSON gets the name of its server-sent event as `_event`. An AWS event is `{ [name]: payload }`.
   */
  streamDecoder?(request?: LMRequest, model?: string): StreamDecoder
  /** Decodes the error in the body of a reply with an HTTP error status. */
  decodeError?(body: unknown): ProviderError | undefined
  /**
   * Decodes the model's output from a reply with an HTTP error status, such as Groq's `failed_generation`. Returns a response
   * with its calls, or undefined if nothing complete can be read.
   */
  decodeFailure?(body: unknown, request?: LMRequest, model?: string): LMResponse | undefined
  /** The headers with the API key. Default: a bearer token. */
  authHeaders?(apiKey: string): Readonly<Record<string, string>>
  /** Headers for every request, besides those with the key, such as the version of the API. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Rules for what a model of this API accepts in a tool. Absent if it accepts everything. */
  toolRules?(model: string): ToolRules
}
