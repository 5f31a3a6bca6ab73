/**
 * The interface of a wire format: pure functions that convert canonical requests to the JSON of one provider's API, and the replies of
 * that API to canonical responses.
 */
import type { LMDelta, LMRequest, LMResponse, ProviderError } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import type { ModelFacts, ResolvedFacts } from './facts/model-facts.ts'

/**
 * Decodes the events of one streamed reply. Never throws, whatever the provider sends. `push` returns a `finish` delta once the reply is
 * complete. If the stream ends early, `end` returns a `finish` delta with the reason `error`.
 */
export interface StreamDecoder<Event = unknown> {
  push(event: Event): readonly LMDelta[]
  /** Ends the stream and all open calls. `isDone` is true if the stream was marked as complete, e.g. by `[DONE]`. */
  end(isDone?: boolean): readonly LMDelta[]
}

export interface EncodeOptions {
  readonly stream?: boolean | undefined
  /** Called for each part of the request that the API can't represent as intended. */
  readonly onLoss?: ((loss: Loss) => void) | undefined
  /** Facts about the model. Each one replaces the fact of the table as a whole. */
  readonly facts?: ModelFacts | undefined
}

/** How the events of a streamed reply are delimited. */
export type Framing = 'sse' | 'ndjson' | 'aws-event-stream'

/**
 * Converts between canonical requests and responses and the JSON of one API. Only `name`, `path`, `encode` and `decode` are required. The
 * other members add streaming, shaping and readable errors.
 */
export interface WireFormat<Body = unknown, Reply = unknown> {
  readonly name: string
  /** Path of the endpoint, relative to the base URL. May include a query string. */
  readonly path: string | ((model: string, stream: boolean) => string)
  /** Framing of a streamed reply. Default: `sse`. */
  readonly framing?: Framing | undefined
  encode(request: LMRequest, model: string, options?: EncodeOptions): Body
  /** Decodes a reply. Pass the request, the model and the facts of `encode` to restore the names and arguments that it converted. */
  decode(reply: Reply, request?: LMRequest, model?: string, facts?: ModelFacts): LMResponse
  /**
   * Creates a decoder for one stream. Pass the parsed JSON of each event to the decoder, in order and without the closing `[DONE]`. If
   * the JSON of a server-sent event has no `type`, add the name of the event as `_event`. Pass an AWS event as `{ [name]: payload }`.
   */
  streamDecoder?(request?: LMRequest, model?: string, facts?: ModelFacts): StreamDecoder
  /** Decodes the error in the body of a reply with an HTTP error status. */
  decodeError?(body: unknown): ProviderError | undefined
  /**
   * Decodes the model's output from a reply with an HTTP error status, such as Groq's `failed_generation`. Returns a response with the
   * calls, or undefined if the output doesn't consist of complete calls.
   */
  decodeFailure?(body: unknown, request?: LMRequest, model?: string, facts?: ModelFacts): LMResponse | undefined
  /** Returns the headers that contain the API key. Default: a bearer token. */
  authHeaders?(apiKey: string): Readonly<Record<string, string>>
  /** Additional headers for every request, such as the API version. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Returns the tool rules for a model. Omit this method if the API accepts any tool. */
  toolRules?(model: string): ToolRules
  /** Returns the facts about a model. Each fact in `own` replaces the fact of the table. */
  modelFacts?(model: string, own?: ModelFacts): ResolvedFacts
}
