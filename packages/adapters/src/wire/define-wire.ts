/** Builds a wire format from the code for one API. Handles tools, names, ids and losses in the same way for every API. */
import type { LMRequest, LMResponse, Message, Settings, ToolChoice } from '../protocol/protocol.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import { type AutomaticMarks, type CacheMarks, cacheMarks } from './cache-marks.ts'
import { CallIds } from './call-ids.ts'
import { markTruncated } from './calls.ts'
import type { Lose } from './convert-once.ts'
import { findFacts } from './facts/find-facts.ts'
import type { FactFamily, ModelFacts, ResolvedFacts } from './facts/model-facts.ts'
import { type Plan, planRequest } from './facts/plan.ts'
import { acceptedRequest } from './facts/plan-input.ts'
import type { ReasoningPlan } from './facts/plan-reasoning.ts'
import { mergeOptions } from './merge-options.ts'
import type { JsonObject } from './read-json.ts'
import { type RequestTools, requestTools } from './request-tools.ts'
import { finishBeside, RestoringDecoder, restoreCall } from './restore-calls.ts'
import type { StreamDecoder, WireFormat } from './wire-format.ts'
import { createToWireMessages } from './wire-messages.ts'

/** A request as passed to the code for one API. Tool names and call ids are already valid for the API. */
export interface WireRequest {
  readonly model: string
  readonly stream: boolean
  /** The messages of the conversation. A message that hasn't changed is the same object in every request. */
  readonly messages: readonly Message[]
  /** The tools to send. Empty if the request has no tools. */
  readonly tools: readonly ShapedTool[]
  /** The deferred tools, which the provider searches. Empty if the provider doesn't search tools: see `defersTools`. */
  readonly deferred: readonly ShapedTool[]
  /** The tool choice. Undefined if there are no tools. A choice of one tool contains the name of that tool as sent to the API. */
  readonly toolChoice: ToolChoice | undefined
  /** Whether the model may make several calls in one turn. Undefined if there are no tools. */
  readonly parallelToolCalls: boolean | undefined
  /** The request without anything that the model doesn't accept. Use it for data without a field here, such as the response format. */
  readonly request: LMRequest
  /** The settings that the model accepts, with the output limit to send. Use these instead of `request.settings`. */
  readonly settings: Settings
  /** How to request reasoning. If undefined, send nothing about reasoning. */
  readonly reasoning: ReasoningPlan | undefined
  /** The facts about the model. */
  readonly facts: ResolvedFacts
  /** Where to mark the prompt for the provider's cache. */
  readonly marks: CacheMarks
  readonly lose: Lose
}

/** The code for one API. It receives converted names and ids, and takes the ids of new calls from `ids`. */
export interface WireDefinition<Body extends object>
  extends Pick<WireFormat, 'name' | 'path' | 'framing' | 'decodeError' | 'authHeaders' | 'headers'> {
  toolRules(model: string): ToolRules
  /** Facts about the models of the API. Default: none, so that every model is unknown. */
  readonly facts?: readonly FactFamily[] | undefined
  /** True if the API can search deferred tools. They are passed to `encode` for a model that supports it. Default: false. */
  readonly defersTools?: boolean | undefined
  /** Facts to assume for models that aren't in the table. */
  readonly unknown?: ModelFacts | undefined
  /** The output limit for unknown models, in tokens. Set it only if the API requires a limit. */
  readonly requiredLimit?: number | undefined
  /** Returns the positions of the cache marks for a growing conversation. Undefined if the API has no marks for the model. */
  cacheMarks?(model: string, facts: ResolvedFacts): AutomaticMarks | undefined
  /** Converts a call id to one that the API accepts. Equal ids must give equal results. Omit this method if the API accepts any id. */
  toWireId?(id: string): string
  /** Encodes the body. `providerOptions` are merged in afterwards. */
  encode(request: WireRequest): Body
  decode(reply: unknown, ids: CallIds): LMResponse
  streamDecoder(ids: CallIds): StreamDecoder
  /** Decodes a failed reply: see `WireFormat.decodeFailure`. */
  decodeFailure?(body: unknown, ids: CallIds): LMResponse | undefined
  /**
   * Replaces the calls in a response or a stream after their names and arguments have been restored. Used only for requests with tools.
   */
  readonly replaceCalls?: CallReplacement | undefined
}

export interface CallReplacement {
  inResponse(response: LMResponse, tools: RequestTools): LMResponse
  inStream(decoder: StreamDecoder, tools: RequestTools): StreamDecoder
}

/** A wire format that defines `toolRules`, `modelFacts` and `streamDecoder`. */
export type FullWireFormat<Body extends object> = WireFormat<Body> &
  Required<Pick<WireFormat, 'toolRules' | 'streamDecoder' | 'modelFacts'>>

export function defineWire<Body extends object>(definition: WireDefinition<Body>): FullWireFormat<Body> {
  const {
    toWireId,
    encode,
    decode,
    streamDecoder,
    decodeFailure,
    replaceCalls,
    facts = [],
    unknown,
    requiredLimit,
    defersTools = false,
    cacheMarks: marksOf,
    ...rest
  } = definition
  const toolsOf = ({ tools = NONE, search, strictTools = false }: LMRequest, model: string, own?: ModelFacts) => {
    const all = defersTools && search ? [...tools, ...search.tools] : tools
    return requestTools(all, definition.toolRules(model), strictTools && modelFacts(model, own).strictTools !== false)
  }
  const answeredTools = (request: LMRequest | undefined, model = '', own?: ModelFacts) =>
    request?.tools || request?.search ? toolsOf(request, model, own) : undefined
  const toWireMessages = createToWireMessages(toWireId)
  const modelFacts = (model: string, own?: ModelFacts) => findFacts(model, facts, rest.name, { own, unknown })
  const restore = (response: LMResponse, request?: LMRequest, model?: string, own?: ModelFacts): LMResponse => {
    const hasCalls = response.toolCalls.length > 0
    const hasError = response.error !== undefined
    if (!hasCalls && !hasError) return response
    const shaped = answeredTools(request, model, own)
    const calls = hasError ? markTruncated(response.toolCalls, 'error') : response.toolCalls
    const restored = {
      ...response,
      toolCalls: shaped === undefined ? calls : calls.map((call) => restoreCall(call, shaped)),
      ...(response.finishReason && { finishReason: finishBeside(hasCalls, response.finishReason, hasError) }),
    }
    return shaped && replaceCalls ? replaceCalls.inResponse(restored, shaped) : restored
  }
  return {
    ...rest,
    modelFacts,
    encode(given, model, { stream = false, onLoss, facts: own = {} } = {}) {
      const lose: Lose = (loss) => onLoss?.(loss)
      const known = modelFacts(model, own)
      const request = acceptedRequest(given, known, own, lose)
      const shaped = toolsOf(given, model, own)
      const messages = toWireMessages(request.messages, shaped.names)
      const plan = planRequest({ request, model, wire: rest.name, facts: known, own, requiredLimit, lose })
      const { settings, reasoning } = plan
      const tools = toolPart(request, plan, shaped, defersTools && known.toolSearch === true, lose)
      if (onLoss !== undefined)
        for (const { name, losses } of [...tools.tools, ...tools.deferred])
          for (const loss of losses) lose({ ...loss, tool: name })
      const wireRequest = { model, stream, messages, ...tools, settings, reasoning, request, facts: known, lose }
      const body = encode({ ...wireRequest, marks: cacheMarks(wireRequest, marksOf?.(model, known)) })
      return mergeOptions(body as JsonObject, request.providerOptions) as Body
    },
    decode: (reply, request, ...about) => restore(decode(reply, new CallIds(request)), request, ...about),
    ...(decodeFailure && {
      decodeFailure(body, request, ...about) {
        const response = decodeFailure(body, new CallIds(request))
        return response && restore(response, request, ...about)
      },
    }),
    streamDecoder(request, ...about) {
      const shaped = answeredTools(request, ...about)
      const decoder = new RestoringDecoder(streamDecoder(new CallIds(request)), shaped)
      return shaped && replaceCalls ? replaceCalls.inStream(decoder, shaped) : decoder
    },
  }
}

/** Returns the tools and the tool choice. Without tools, the choice is omitted, because some APIs reject a choice without tools. */
function toolPart(
  request: LMRequest,
  { toolChoice, parallelToolCalls }: Plan,
  { tools: all, names }: RequestTools,
  canDefer: boolean,
  lose: Lose,
) {
  const { tools, deferred } = splitTools(request, all, canDefer, lose)
  if (tools.length === 0 && deferred.length === 0) {
    const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
    if (isForced) lose({ path: '/toolChoice', keyword: 'toolChoice', action: 'refused', note: 'there are no tools' })
    return { tools, deferred, toolChoice: undefined, parallelToolCalls: undefined }
  }
  return { tools, deferred, toolChoice: toWireChoice(toolChoice, names.toWire), parallelToolCalls }
}

/**
 * Returns the request's own tools and the deferred tools, which come last in `all`. If the provider can search, leaves out the tools that
 * would search in its place.
 */
function splitTools({ tools = [], search }: LMRequest, all: readonly ShapedTool[], canDefer: boolean, lose: Lose) {
  if (search === undefined || search.tools.length === 0) return { tools: all, deferred: NONE }
  const own = all.slice(0, tools.length)
  if (canDefer) {
    const { instead = [] } = search
    return { tools: own.filter(({ name }) => !instead.includes(name)), deferred: all.slice(tools.length) }
  }
  lose({ path: '/search', keyword: 'search', action: 'dropped', note: 'the provider cannot search tools for this model' })
  return { tools: own, deferred: NONE }
}

const NONE: readonly never[] = []

function toWireChoice(choice: ToolChoice | undefined, toWire: (name: string) => string): ToolChoice | undefined {
  return typeof choice === 'object' ? { name: toWire(choice.name) } : choice
}
