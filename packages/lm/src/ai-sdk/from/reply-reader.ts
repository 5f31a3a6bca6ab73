/** Converts the parts of one reply to deltas and to an equivalent response. The reply may be complete or streamed. */
import type { FinishReason, LMDelta, LMRequest, LMResponse, Metadata, ProviderCall, Usage } from '@x/adapters'
import { isCutBy, readFinish } from '../finish.ts'
import { NAMESPACE, readCutCall, readProviderCall, splitMetadata, unmarked } from '../kept.ts'
import { fieldAt, isObject, type Json, optional, stringAt, toJson } from '../read.ts'
import { readUsage } from '../usage.ts'
import { ReplyBlocks } from './reply-blocks.ts'
import { ReplyCalls } from './reply-calls.ts'
import { ReplyContent } from './reply-content.ts'
import { toPromptPart } from './reply-part.ts'

export class ReplyReader {
  readonly #isOwn: boolean
  readonly #calls: ReplyCalls
  readonly #content = new ReplyContent()
  readonly #blocks = new ReplyBlocks(this.#content)
  readonly #providerCalls: ProviderCall[] = []
  readonly #malformedCalls: string[] = []
  #carried: Metadata | undefined
  #finishReason: FinishReason | undefined
  #rawFinishReason: string | undefined
  #usage: Usage | undefined

  /** Creates a reader. `isOwn` is true for a model that `toAISDK` created; its parts may carry data that `toAISDK` attached. */
  constructor(request: LMRequest, isOwn: boolean) {
    this.#calls = new ReplyCalls(request)
    this.#isOwn = isOwn
  }

  /** Reads a part of a stream or of a complete reply. Ignores parts without content. */
  push(part: unknown): LMDelta[] {
    return isObject(part) ? this.#read(this.#isOwn ? part : unmarked(part)) : []
  }

  /** Ends the reply. Without a finish reason, a stream counts as interrupted; a complete reply doesn't. */
  finish(result: unknown, streamed: boolean): LMDelta[] {
    const { finishReason, rawFinishReason } = readFinish(fieldAt(result, 'finishReason'))
    const withoutReason = streamed ? 'error' : this.#calls.list().length > 0 ? 'tool-calls' : 'other'
    this.#finishReason = finishReason ?? withoutReason
    this.#rawFinishReason = rawFinishReason
    this.#usage = readUsage(fieldAt(result, 'usage'))
    this.#content.finish(fieldAt(result, 'providerMetadata'))
    const deltas = this.#calls.endAll(isCutBy(this.#finishReason))
    const metadata = this.#metadata()
    if (metadata !== undefined) deltas.push({ type: 'metadata', metadata })
    if (this.#usage !== undefined) deltas.push({ type: 'usage', usage: this.#usage })
    return [...deltas, { type: 'finish', finishReason: this.#finishReason, ...optional({ rawFinishReason }) }]
  }

  response(): LMResponse {
    return {
      text: this.#content.text('text'),
      toolCalls: this.#calls.list(),
      ...optional({
        reasoning: this.#content.text('reasoning') || undefined,
        refusal: this.#blocks.refusal || undefined,
        providerCalls: this.#providerCalls.length > 0 ? this.#providerCalls : undefined,
        malformedCalls: this.#malformedCalls.length > 0 ? this.#malformedCalls : undefined,
        finishReason: this.#finishReason,
        rawFinishReason: this.#rawFinishReason,
        usage: this.#usage,
        metadata: this.#metadata(),
      }),
    }
  }

  #read(part: Json): LMDelta[] {
    const id = stringAt(part, 'id') ?? ''
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [...this.#takeCarried(part), ...this.#blocks.read(part)]
      case 'text-start':
      case 'reasoning-start':
        return [...this.#takeCarried(part), ...this.#blocks.start(part, id)]
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.#blocks.grow(part, id)
      case 'tool-input-start':
        // The provider-executed call arrives again as a complete part. Only that part shows that the provider has executed it.
        return part.providerExecuted === true ? [] : this.#startCall(id, stringAt(part, 'toolName') ?? '')
      case 'tool-input-delta':
        return this.#calls.append(id, stringAt(part, 'delta') ?? '')
      case 'tool-call':
        return part.providerExecuted === true ? this.#readProviderRun(part) : this.#readCall(part)
      case 'tool-approval-request':
        return this.#addProviderCall({
          type: part.type,
          by: 'client',
          ...optional({ id: stringAt(part, 'approvalId') }),
          raw: part,
        })
      case 'source':
        this.#content.source(part)
        return []
      default:
        this.#keep(part)
        return []
    }
  }

  #metadata(): Metadata | undefined {
    const kept = this.#content.metadata()
    return this.#carried === undefined && kept === undefined ? undefined : { ...this.#carried, ...kept }
  }

  #startCall(key: string, name: string): LMDelta[] {
    const deltas = this.#calls.start(key, name)
    this.#content.call(this.#calls.idOf(key))
    return deltas
  }

  #readCall(part: Json): LMDelta[] {
    const key = stringAt(part, 'toolCallId') ?? ''
    const started = this.#calls.has(key) ? [] : this.#startCall(key, stringAt(part, 'toolName') ?? '')
    const { carried, other } = splitMetadata(part.providerMetadata)
    // Defined only if the call needed a generated id.
    const id = key === '' || this.#calls.idOf(key) === key ? undefined : key
    const kept = optional({ id, providerOptions: other })
    const own = isObject(carried?.metadata) ? carried.metadata : {}
    const metadata: Metadata = Object.keys(kept).length > 0 ? { ...own, [NAMESPACE]: kept } : own
    const input = typeof part.input === 'string' ? part.input : toJson(part.input)
    return [...started, ...this.#calls.end(key, input, Object.keys(metadata).length > 0 ? metadata : undefined)]
  }

  #readProviderRun(part: Json): LMDelta[] {
    const { carried } = splitMetadata(part.providerMetadata)
    const own = carried && readProviderCall(carried)
    if (own !== undefined) return this.#addProviderCall(own)
    this.#keep(part)
    const { toolCallId: id, toolName: name } = part as { toolCallId?: string; toolName?: string }
    // The provider announced this as a client-side call, but the client must not execute it.
    const ended = this.#calls.cut(id ?? '', {})
    return [...ended, ...this.#addProviderCall({ type: 'tool-call', by: 'provider', ...optional({ id, name }), raw: part })]
  }

  #addProviderCall(call: ProviderCall): LMDelta[] {
    this.#providerCalls.push(call)
    return [{ type: 'provider_call', call }]
  }

  #keep(part: Json): void {
    const kept = toPromptPart(part)
    if (kept !== undefined) this.#content.keep(kept)
  }

  /** Reads the data that `toAISDK` has attached to a part. */
  #takeCarried(part: Json): LMDelta[] {
    const { carried } = splitMetadata(part.providerMetadata)
    if (carried === undefined) return []
    if (isObject(carried.metadata)) this.#carried = { ...this.#carried, ...carried.metadata }
    const providerCall = readProviderCall(carried)
    if (providerCall !== undefined) return this.#addProviderCall(providerCall)
    const call = readCutCall(carried)
    if (call !== undefined) {
      const started = this.#calls.has(call.id) ? [] : this.#startCall(call.id, call.name)
      return [...started, ...this.#calls.cut(call.id, call)]
    }
    const { malformedCall } = carried
    if (typeof malformedCall !== 'string') return []
    this.#malformedCalls.push(malformedCall)
    return [{ type: 'malformed_call', text: malformedCall }]
  }
}
