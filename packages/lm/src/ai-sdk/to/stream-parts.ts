/** Converts the deltas of one reply to AI SDK stream parts. Each block starts and ends once. */
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { FinishReason, LMDelta, RawToolCall, Usage } from '@x/adapters'
import { toFinishReason } from '../finish.ts'
import { type Carried, carry } from '../kept.ts'
import { toUsage } from '../usage.ts'
import { toProviderCall, toToolCall } from './to-content.ts'

type Part = LanguageModelV3StreamPart
type BlockType = 'text' | 'reasoning' | 'refusal'

export class StreamParts {
  readonly #calls = new Map<number, RawToolCall>()
  #block: { readonly type: BlockType; readonly id: string } | undefined
  #blocks = 0
  #hasCalls = false
  #finishReason: FinishReason | undefined
  #rawFinishReason: string | undefined
  #usage: Usage | undefined

  /** Returns the stream parts for a delta. Returns none for an `error`; pass that to `fail`. */
  push(delta: LMDelta): Part[] {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#grow(delta.type, delta.text)
      case 'call_start':
        this.#calls.set(delta.index, { id: delta.id, name: delta.name, arguments: '' })
        return [...this.#closeBlock(), { type: 'tool-input-start', id: delta.id, toolName: delta.name }]
      case 'arguments':
        return this.#append(delta.index, delta.text)
      case 'call_end':
        return this.#endCall(delta)
      case 'malformed_call':
        return [...this.#takeBack(delta.index), ...this.#carrier({ malformedCall: delta.text })]
      case 'provider_call': {
        const part = toProviderCall(delta.call)
        return part.type === 'tool-call' ? [...this.#closeBlock(), part] : this.#carrier({ providerCall: delta.call })
      }
      case 'metadata':
        return this.#carrier({ metadata: delta.metadata })
      case 'usage':
        this.#usage = { ...this.#usage, ...delta.usage }
        return []
      case 'finish':
        this.#finishReason = delta.finishReason
        this.#rawFinishReason = delta.rawFinishReason
        return []
      case 'error':
        return []
    }
  }

  /** Ends the stream. A call without an end gets no `tool-call` part, so the AI SDK doesn't execute it. */
  end(): Part[] {
    const open = [...this.#calls].flatMap(([index]) => this.#endCall({ type: 'call_end', index, truncated: true }))
    const finishReason = toFinishReason(
      { finishReason: this.#finishReason, rawFinishReason: this.#rawFinishReason },
      this.#hasCalls,
    )
    return [...this.#closeBlock(), ...open, { type: 'finish', finishReason, usage: toUsage(this.#usage) }]
  }

  fail(error: unknown): Part[] {
    this.#finishReason = 'error'
    return [{ type: 'error', error }, ...this.end()]
  }

  #grow(type: BlockType, delta: string): Part[] {
    if (this.#block?.type === type) return [{ type: partType(type, 'delta'), id: this.#block.id, delta }]
    const closed = this.#closeBlock()
    const id = this.#nextId()
    this.#block = { type, id }
    const start: Part = { type: partType(type, 'start'), id, ...(type === 'refusal' && carry({ refusal: true })) }
    return [...closed, start, { type: partType(type, 'delta'), id, delta }]
  }

  #closeBlock(): Part[] {
    if (this.#block === undefined) return []
    const { type, id } = this.#block
    this.#block = undefined
    return [{ type: partType(type, 'end'), id }]
  }

  #append(index: number, delta: string): Part[] {
    const call = this.#calls.get(index)
    if (call === undefined) return []
    this.#calls.set(index, { ...call, arguments: call.arguments + delta })
    return [{ type: 'tool-input-delta', id: call.id, delta }]
  }

  #endCall({ index, arguments: whole, truncated, metadata }: LMDelta & { type: 'call_end' }): Part[] {
    const open = this.#calls.get(index)
    if (open === undefined) return []
    this.#calls.delete(index)
    const call = { ...open, ...(whole !== undefined && { arguments: whole }), ...(metadata && { metadata }) }
    const end: Part = { type: 'tool-input-end', id: call.id }
    if (truncated === true) return [end, ...this.#carrier({ cutCall: { ...call, truncated } })]
    this.#hasCalls = true
    return [end, toToolCall(call)]
  }

  /** Ends the block of a call that the model withdrew. Emits no `tool-call` part. */
  #takeBack(index: number | undefined): Part[] {
    const call = index === undefined ? undefined : this.#calls.get(index)
    if (index === undefined || call === undefined) return []
    this.#calls.delete(index)
    return [{ type: 'tool-input-end', id: call.id }]
  }

  #carrier(carried: Carried): Part[] {
    const id = this.#nextId()
    return [...this.#closeBlock(), { type: 'reasoning-start', id, ...carry(carried) }, { type: 'reasoning-end', id }]
  }

  #nextId(): string {
    return String(this.#blocks++)
  }
}

function partType<Phase extends 'start' | 'delta' | 'end'>(
  type: BlockType,
  phase: Phase,
): `text-${Phase}` | `reasoning-${Phase}` {
  return type === 'reasoning' ? `reasoning-${phase}` : `text-${phase}`
}
