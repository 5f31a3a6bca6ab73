/** Collects the deltas of a stream into a response, as `generate` would return it. Used for every stream. */
import type {
  FinishReason,
  LMDelta,
  LMResponse,
  OutputLimit,
  ProviderCall,
  ProviderError,
  RawToolCall,
  Usage,
} from './protocol.ts'

interface OpenCall {
  readonly id: string
  readonly name: string
  parts: string[]
  /** True until the end of the call arrives. */
  truncated: boolean
  metadata?: RawToolCall['metadata']
  tags?: RawToolCall['tags']
}

/** Collects the deltas of one response, in linear time. Calls that haven't ended are marked `truncated`. */
export class DeltaCollector {
  readonly #text: string[] = []
  readonly #reasoning: string[] = []
  readonly #refusal: string[] = []
  readonly #malformedCalls: string[] = []
  readonly #providerCalls: ProviderCall[] = []
  /** The calls by index, in the order in which they started. */
  readonly #calls = new Map<number, OpenCall>()
  #finishReason: FinishReason | undefined
  #rawFinishReason: string | undefined
  #outputLimit: OutputLimit | undefined
  #usage: Usage | undefined
  #error: ProviderError | undefined
  #metadata: LMResponse['metadata']

  push(delta: LMDelta): void {
    switch (delta.type) {
      case 'text':
        this.#text.push(delta.text)
        break
      case 'reasoning':
        this.#reasoning.push(delta.text)
        break
      case 'refusal':
        this.#refusal.push(delta.text)
        break
      case 'call_start':
        this.#open(delta.index, { id: delta.id, name: delta.name, parts: [], truncated: true })
        break
      case 'arguments':
        this.#calls.get(delta.index)?.parts.push(delta.text)
        break
      case 'call_end':
        this.#close(delta)
        break
      case 'malformed_call':
        if (delta.index !== undefined) this.#calls.delete(delta.index)
        this.#malformedCalls.push(delta.text)
        break
      case 'provider_call':
        this.#providerCalls.push(delta.call)
        break
      case 'finish':
        this.#finishReason = delta.finishReason
        this.#rawFinishReason = delta.rawFinishReason
        this.#outputLimit = delta.outputLimit ?? this.#outputLimit
        break
      case 'metadata':
        this.#metadata = { ...this.#metadata, ...delta.metadata }
        break
      case 'usage':
        this.#usage = { ...this.#usage, ...delta.usage }
        break
      case 'error':
        this.#error ??= delta.error
        break
    }
  }

  response(): LMResponse {
    const reasoning = this.#reasoning.join('')
    const refusal = this.#refusal.join('')
    return {
      text: this.#text.join(''),
      toolCalls: [...this.#calls.values()].map(toRawCall),
      ...(reasoning !== '' && { reasoning }),
      ...(refusal !== '' && { refusal }),
      ...(this.#providerCalls.length > 0 && { providerCalls: this.#providerCalls }),
      ...(this.#malformedCalls.length > 0 && { malformedCalls: this.#malformedCalls }),
      ...(this.#finishReason && { finishReason: this.#finishReason }),
      ...(this.#rawFinishReason !== undefined && { rawFinishReason: this.#rawFinishReason }),
      ...(this.#outputLimit && { outputLimit: this.#outputLimit }),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#error && { error: this.#error }),
      ...(this.#metadata && { metadata: this.#metadata }),
    }
  }

  #open(index: number, call: OpenCall): void {
    this.#calls.set(index, call)
  }

  #close({ index, arguments: whole, truncated, metadata, tags }: LMDelta & { type: 'call_end' }): void {
    const call = this.#calls.get(index)
    if (call === undefined) return
    if (whole !== undefined) call.parts = [whole]
    call.truncated = truncated === true
    call.metadata = metadata
    call.tags = tags
  }
}

function toRawCall({ id, name, parts, truncated, metadata, tags }: OpenCall): RawToolCall {
  const beside = { ...(truncated && { truncated }), ...(metadata && { metadata }), ...(tags && { tags }) }
  return { id, name, arguments: parts.join(''), ...beside }
}

export function collectDeltas(deltas: Iterable<LMDelta>): LMResponse {
  const collector = new DeltaCollector()
  for (const delta of deltas) collector.push(delta)
  return collector.response()
}
