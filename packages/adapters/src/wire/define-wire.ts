/**
 * Builds a wire format from an API's own JSON. Adds what all wire formats share: tools, names, ids and losses, in both
 * directions.
 */
import type { LMRequest, LMResponse, Message, ToolChoice } from '../protocol/protocol.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import { CallIds } from './call-ids.ts'
import { markTruncated } from './calls.ts'
import type { Lose } from './convert-once.ts'
import { mergeOptions } from './merge-options.ts'
import type { JsonObject } from './read-json.ts'
import { type RequestTools, requestTools } from './request-tools.ts'
import { finishBeside, RestoringDecoder, restoreCall } from './restore-calls.ts'
import type { StreamDecoder, WireFormat } from './wire-format.ts'
import { createToWireMessages } from './wire-messages.ts'

/** A request for an API's own code: names and ids are already those of the wire. */
export interface WireRequest {
  readonly model: string
  readonly stream: boolean
  /** The same objects from request to request. */
  readonly messages: readonly Message[]
  /** Empty if there are no tools. */
  readonly tools: readonly ShapedTool[]
  /** Only set with tools. The name is the one in the request. */
  readonly toolChoice: ToolChoice | undefined
  /** Only set with tools. */
  readonly parallelToolCalls: boolean | undefined
  /** The original request, for what is not mapped: settings, response format. */
  readonly request: LMRequest
  readonly lose: Lose
}

/** The part of a wire format that is specific to one API. It only sees converted names and ids, and takes the ids of calls from `ids`. */
export interface WireDefinition<Body extends object>
  extends Pick<WireFormat, 'name' | 'path' | 'framing' | 'decodeError' | 'authHeaders' | 'headers'> {
  toolRules(model: string): ToolRules
  /** Converts an id to one that the API accepts, always the same for the same id. Only needed if the API restricts ids. */
  toWireId?(id: string): string
  /** Encodes the body, without `providerOptions`, which are merged in afterwards. */
  encode(request: WireRequest): Body
  decode(reply: unknown, ids: CallIds): LMResponse
  streamDecoder(ids: CallIds): StreamDecoder
  /** See `WireFormat.decodeFailure`. */
  decodeFailure?(body: unknown, ids: CallIds): LMResponse | undefined
}

/** A wire format with all optional members. */
export type FullWireFormat<Body extends object> = WireFormat<Body> & Required<Pick<WireFormat, 'toolRules' | 'streamDecoder'>>

export function defineWire<Body extends object>(definition: WireDefinition<Body>): FullWireFormat<Body> {
  const { toWireId, encode, decode, streamDecoder, decodeFailure, ...rest } = definition
  const toolsOf = (request: LMRequest, model: string) =>
    requestTools(request.tools, definition.toolRules(model), request.strictTools === true)
  const toWireMessages = createToWireMessages(toWireId)
  const restore = (response: LMResponse, request: LMRequest | undefined, model = ''): LMResponse => {
    const hasCalls = response.toolCalls.length > 0
    const hasError = response.error !== undefined
    if (!hasCalls && !hasError) return response
    const shaped = request?.tools && toolsOf(request, model)
    const calls = hasError ? markTruncated(response.toolCalls, 'error') : response.toolCalls
    return {
      ...response,
      toolCalls: shaped === undefined ? calls : calls.map((call) => restoreCall(call, shaped)),
      ...(response.finishReason && { finishReason: finishBeside(hasCalls, response.finishReason, hasError) }),
    }
  }
  return {
    ...rest,
    encode(request, model, { stream = false, onLoss } = {}) {
      const shaped = toolsOf(request, model)
      const lose: Lose = (loss) => onLoss?.(loss)
      if (onLoss !== undefined) shaped.losses.forEach(lose)
      const messages = toWireMessages(request.messages, shaped.names)
      const body = encode({ model, stream, messages, ...toolPart(request, shaped, lose), request, lose })
      return mergeOptions(body as JsonObject, request.providerOptions) as Body
    },
    decode: (reply, request, model) => restore(decode(reply, new CallIds(request)), request, model),
    ...(decodeFailure && {
      decodeFailure(body, request, model) {
        const response = decodeFailure(body, new CallIds(request))
        return response && restore(response, request, model)
      },
    }),
    streamDecoder(request, model = '') {
      return new RestoringDecoder(streamDecoder(new CallIds(request)), request?.tools && toolsOf(request, model))
    },
  }
}

/** The tools and the choice. Without tools, the choice is omitted, because some APIs reject it. */
function toolPart({ toolChoice, parallelToolCalls }: LMRequest, { tools, names }: RequestTools, lose: Lose) {
  if (tools.length === 0) {
    const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
    if (isForced) lose({ path: '/toolChoice', keyword: 'toolChoice', action: 'refused', note: 'there are no tools' })
    return { tools, toolChoice: undefined, parallelToolCalls: undefined }
  }
  return { tools, toolChoice: toWireChoice(toolChoice, names.toWire), parallelToolCalls }
}

function toWireChoice(choice: ToolChoice | undefined, toWire: (name: string) => string): ToolChoice | undefined {
  return typeof choice === 'object' ? { name: toWire(choice.name) } : choice
}
