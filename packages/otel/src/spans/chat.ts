/** Creates the span and the metrics of one model request. */
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import type { LMRequest, LMResponse, Usage } from '@x/adapters'
import { toFinishReason } from '../content/content.ts'
import { guarded, identifierOf } from '../guarded.ts'
import type { Telemetry } from '../options.ts'
import { type Clock, Operation } from './operation.ts'

export interface ChatPlace {
  readonly parent: Context
  readonly clock: Clock
}

export class Chat {
  readonly #telemetry: Telemetry
  readonly #operation: Operation
  /** Attributes of this request's metrics. */
  readonly #labels: Attributes
  #streams = false

  constructor(telemetry: Telemetry, request: LMRequest, { parent, clock }: ChatPlace) {
    const { tracer, asked, conversation, content } = telemetry
    this.#telemetry = telemetry
    this.#labels = { 'gen_ai.operation.name': 'chat', ...asked }
    this.#operation = new Operation({
      tracer,
      clock,
      parent,
      kind: SpanKind.CLIENT,
      name: nameOf('chat', asked['gen_ai.request.model']),
      attributes: { ...this.#labels, ...conversation, ...guarded('reading a request', () => requestAttributes(request)) },
    })
    guarded('reading the tools of a request', () => content?.knowTools(request))
    this.#operation.setContent('recording a request', () => content?.ofRequest(request))
  }

  get context(): Context {
    return this.#operation.context
  }

  /** Records that a chunk of the response has arrived. */
  noteChunk(): void {
    if (this.#streams) return
    this.#streams = true
    const seconds = this.#operation.seconds()
    this.#operation.set({ 'gen_ai.request.stream': true, 'gen_ai.response.time_to_first_chunk': seconds })
    this.#telemetry.instruments.timeToFirstChunk(seconds, this.#labels, this.context)
  }

  /** Ends the request. Must be called only once. If `errorType` is set, it takes precedence over the error in the response. */
  end(response: LMResponse | undefined, errorType = response && errorTypeOfResponse(response)): void {
    if (response !== undefined) guarded('recording a response', () => this.#record(response))
    this.#operation.end(errorType)
    const failure = errorType === undefined ? {} : { 'error.type': errorType }
    this.#telemetry.instruments.chatDuration(this.#operation.seconds(), { ...this.#labels, ...failure }, this.context)
  }

  #record(response: LMResponse): void {
    const { finishReason, usage } = response
    this.#operation.set(finishReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [toFinishReason(finishReason)] })
    this.#operation.set(usageAttributes(usage ?? {}))
    this.#recordTokens('input', usage?.inputTokens)
    this.#recordTokens('output', usage?.outputTokens)
    this.#operation.setContent('recording a response', () => this.#telemetry.content?.ofResponse(response))
  }

  #recordTokens(type: 'input' | 'output', count: number | undefined): void {
    if (typeof count === 'number')
      this.#telemetry.instruments.tokens(count, { ...this.#labels, 'gen_ai.token.type': type }, this.context)
  }
}

/** Returns the name of a span: the operation, followed by its subject if there is one. */
export function nameOf(operation: string, subject: unknown): string {
  return typeof subject === 'string' ? `${operation} ${subject}` : operation
}

/**
 * Returns the token counts in the form of the conventions: input tokens include cached ones, and output tokens include reasoning.
 */
export function usageAttributes({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens,
}: Usage): Attributes {
  const counts = {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
  }
  // A model that isn't one of ours may report text.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'))
}

/** Returns the attributes of a request. Leaves out stop sequences, because they may be content. */
function requestAttributes({ settings = {}, responseFormat }: LMRequest): Attributes {
  return {
    'gen_ai.request.temperature': settings.temperature,
    'gen_ai.request.top_p': settings.topP,
    'gen_ai.request.top_k': settings.topK,
    'gen_ai.request.max_tokens': settings.maxOutputTokens,
    'gen_ai.request.seed': settings.seed,
    'gen_ai.request.presence_penalty': settings.presencePenalty,
    'gen_ai.request.frequency_penalty': settings.frequencyPenalty,
    'gen_ai.output.type': responseFormat?.type,
  }
}

function errorTypeOfResponse({ error, finishReason }: LMResponse): string | undefined {
  if (error) return identifierOf(error.code) ?? 'provider_error'
  return finishReason === 'error' ? 'provider_error' : undefined
}
