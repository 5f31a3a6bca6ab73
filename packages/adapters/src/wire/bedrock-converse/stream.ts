/** Decodes the events of a streamed Converse reply into deltas. */
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import { BlockCalls } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { fieldAt, type JsonObject, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { keepBlocks, NAME } from './kept-blocks.ts'
import { readException, readProviderCall, readUsage, toFinish, toolUseOf } from './read.ts'
import { StreamBlock } from './stream-block.ts'

/** Decodes a Converse stream. Text blocks have no start event. The usage arrives before or after the event with the finish reason. */
export class BedrockStream implements StreamDecoder {
  readonly #calls: BlockCalls
  readonly #blocks: StreamBlock[] = []
  readonly #byIndex = new Map<number | undefined, StreamBlock>()
  #isOver = false

  constructor(ids: CallIds) {
    this.#calls = new BlockCalls(NAME, ids)
  }

  push(event: unknown): readonly LMDelta[] {
    const usage = readUsage(objectAt(objectAt(event, 'metadata'), 'usage'))
    const deltas: LMDelta[] = usage === undefined ? [] : [{ type: 'usage', usage }]
    const error = readException(event)
    if (error !== undefined) return [...deltas, { type: 'error', error }, ...this.#fail()]
    if (this.#isOver) return deltas
    const start = objectAt(event, 'contentBlockStart')
    if (start !== undefined) deltas.push(...this.#open(numberAt(start, 'contentBlockIndex'), objectAt(start, 'start') ?? {}))
    const delta = objectAt(event, 'contentBlockDelta')
    if (delta !== undefined) deltas.push(...this.#append(numberAt(delta, 'contentBlockIndex'), objectAt(delta, 'delta') ?? {}))
    const stop = objectAt(event, 'contentBlockStop')
    if (stop !== undefined) deltas.push(...this.#stop(this.#byIndex.get(numberAt(stop, 'contentBlockIndex'))))
    const end = objectAt(event, 'messageStop')
    if (end !== undefined) deltas.push(...this.#finish(stringAt(end, 'stopReason')))
    return deltas
  }

  end(): readonly LMDelta[] {
    return this.#break()
  }

  #open(index: number | undefined, start: JsonObject): LMDelta[] {
    const call = toolUseOf(start)
    const before = this.#byIndex.get(index)
    if (before !== undefined && this.#calls.isOpen(before.key, stringAt(call, 'toolUseId'))) return []
    const block = new StreamBlock(this.#blocks.length, start)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    const deltas = this.#calls.endStopped()
    if (call === undefined) return deltas
    return [...deltas, ...this.#calls.start(block.key, stringAt(call, 'toolUseId'), stringAt(call, 'name') ?? '')]
  }

  #append(index: number | undefined, delta: JsonObject): LMDelta[] {
    const deltas = this.#byIndex.has(index) ? [] : this.#open(index, {})
    const block = this.#byIndex.get(index)
    if (block === undefined || block.isStopped) return deltas
    block.add(delta)
    const text = stringAt(delta, 'text')
    if (text) deltas.push({ type: 'text', text })
    const reasoning = stringAt(objectAt(delta, 'reasoningContent'), 'text')
    if (reasoning) deltas.push({ type: 'reasoning', text: reasoning })
    const input = argumentsText(fieldAt(objectAt(delta, 'toolUse'), 'input'))
    if (toolUseOf(block.start) === undefined) block.addInput(input)
    else deltas.push(...this.#calls.append(block.key, input))
    return deltas
  }

  #stop(block: StreamBlock | undefined): LMDelta[] {
    if (block === undefined || block.isStopped) return []
    block.isStopped = true
    const call = toolUseOf(block.start)
    if (call !== undefined) return this.#calls.stop(block.key, argumentsText(fieldAt(call, 'input') ?? {}))
    const providerCall = readProviderCall(block.whole())
    return providerCall === undefined ? [] : [{ type: 'provider_call', call: providerCall }]
  }

  /** Finishes the reply. If there is no finish reason, emits nothing, and the reply stays incomplete. */
  #finish(rawFinishReason: string | undefined): LMDelta[] {
    const finishReason = toFinish(rawFinishReason)
    if (finishReason === undefined) return []
    const stopped = this.#blocks.flatMap((block) => this.#stop(block))
    return [...stopped, ...this.#calls.end(finishReason, this.#blocks.at(-1)?.key), ...this.#close(finishReason, rawFinishReason)]
  }

  #fail(): LMDelta[] {
    return this.#isOver ? [{ type: 'finish', finishReason: 'error' }] : this.#break()
  }

  #break(): LMDelta[] {
    return this.#isOver ? [] : [...this.#calls.end(undefined, undefined), ...this.#close('error')]
  }

  #close(finishReason: FinishReason, rawFinishReason?: string): LMDelta[] {
    this.#isOver = true
    const blocks = this.#blocks.filter(({ isStopped }) => isStopped)
    const metadata = keepBlocks(blocks.map((block) => ({ raw: block.whole(), callId: this.#calls.idOf(block.key) })))
    return [
      ...(metadata === undefined ? [] : [{ type: 'metadata' as const, metadata }]),
      { type: 'finish', finishReason, ...optional({ rawFinishReason }) },
    ]
  }
}
