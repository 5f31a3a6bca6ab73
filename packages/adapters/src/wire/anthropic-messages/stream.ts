/** Decodes the events of a streamed reply of the Messages API into deltas. */
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import { BlockCalls } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { keepBlocks, NAME } from './kept-blocks.ts'
import { readError, readProviderCall, readRefusal, readUsage, toFinish } from './read.ts'
import { StreamBlock } from './stream-block.ts'

export class AnthropicStream implements StreamDecoder {
  readonly #calls: BlockCalls
  readonly #blocks: StreamBlock[] = []
  readonly #byIndex = new Map<number | undefined, StreamBlock>()
  #message: JsonObject | undefined
  #usage: JsonObject = {}
  #container: string | undefined
  #rawFinishReason: string | undefined
  #isOver = false

  constructor(ids: CallIds) {
    this.#calls = new BlockCalls(NAME, ids)
  }

  push(event: unknown): readonly LMDelta[] {
    const type = stringAt(event, 'type') ?? stringAt(event, '_event')
    if (type === 'message_start') return this.#readStart(objectAt(event, 'message') ?? {})
    const error = readError(event)
    if (error !== undefined) return this.#fail({ type: 'error', error })
    if (this.#isOver) return []
    const index = numberAt(event, 'index')
    switch (type) {
      case 'content_block_start':
        return this.#open(index, objectAt(event, 'content_block') ?? {})
      case 'content_block_delta':
        return this.#append(index, objectAt(event, 'delta') ?? {})
      case 'content_block_stop':
        return this.#stop(this.#byIndex.get(index))
      case 'message_delta':
        return this.#readEnd(objectAt(event, 'delta') ?? {}, objectAt(event, 'usage'))
      case 'message_stop':
        return this.#rawFinishReason === undefined ? [] : this.#finish()
      default:
        return []
    }
  }

  end(): readonly LMDelta[] {
    if (this.#isOver) return []
    if (this.#rawFinishReason !== undefined) return this.#finish()
    return [...this.#calls.end(undefined, undefined), ...this.#close('error')]
  }

  /** Reads the start of a message. A relay that retries may repeat the start. The start of a second message is an error. */
  #readStart(message: JsonObject): LMDelta[] {
    if (this.#message !== undefined) {
      if (stringAt(this.#message, 'id') === stringAt(message, 'id')) return []
      return this.#fail({ type: 'error', error: { message: 'The stream contains a second message.' } })
    }
    if (this.#isOver) return []
    this.#message = message
    const deltas = this.#readUsage(objectAt(message, 'usage'))
    // Calls from code that runs at the provider are already complete in the start event.
    for (const block of arrayAt(message, 'content')) {
      if (!isObject(block)) continue
      deltas.push(...this.#open(undefined, block), ...this.#stop(this.#blocks.at(-1)))
    }
    this.#readReason(message)
    return deltas
  }

  #open(index: number | undefined, start: JsonObject): LMDelta[] {
    const before = this.#byIndex.get(index)
    if (before !== undefined && this.#calls.isOpen(before.key, stringAt(start, 'id'))) return []
    const block = new StreamBlock(this.#blocks.length, start)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    const deltas = this.#calls.endStopped()
    if (block.isCall) deltas.push(...this.#calls.start(block.key, stringAt(start, 'id'), stringAt(start, 'name') ?? ''))
    return [...deltas, ...toText(start, start)]
  }

  #append(index: number | undefined, delta: JsonObject): LMDelta[] {
    const block = this.#byIndex.get(index)
    if (block === undefined || block.isStopped) return []
    switch (delta.type) {
      case 'text_delta':
        return this.#addText(block, 'text', delta)
      case 'thinking_delta':
        return this.#addText(block, 'thinking', delta)
      case 'input_json_delta': {
        const text = stringAt(delta, 'partial_json') ?? ''
        if (block.isCall) return this.#calls.append(block.key, text)
        block.addInput(text)
        return []
      }
      case 'signature_delta':
        block.addSignature(stringAt(delta, 'signature') ?? '')
        return []
      case 'citations_delta':
        block.addCitation(fieldAt(delta, 'citation'))
        return []
      case 'compaction_delta':
        block.addSummary(delta)
        return []
      default:
        return []
    }
  }

  #addText(block: StreamBlock, type: TextType, delta: JsonObject): LMDelta[] {
    if (block.start.type !== type) return []
    block.addText(stringAt(delta, type) ?? '')
    return toText(block.start, delta)
  }

  #stop(block: StreamBlock | undefined): LMDelta[] {
    if (block === undefined || block.isStopped) return []
    block.isStopped = true
    if (block.isCall) return this.#calls.stop(block.key, argumentsText(fieldAt(block.start, 'input')))
    const call = readProviderCall(block.whole())
    return call === undefined ? [] : [{ type: 'provider_call', call }]
  }

  #readEnd(delta: JsonObject, usage: JsonObject | undefined): LMDelta[] {
    const refusal = readRefusal(delta)
    const deltas: LMDelta[] = [
      ...this.#readUsage(usage),
      ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ]
    this.#readReason(delta)
    return this.#rawFinishReason === undefined ? deltas : [...deltas, ...this.#finish()]
  }

  #readReason(message: JsonObject): void {
    this.#rawFinishReason = stringAt(message, 'stop_reason') || this.#rawFinishReason
    this.#container = stringAt(objectAt(message, 'container'), 'id') ?? this.#container
  }

  /** Updates the usage. Each count is a total for the reply so far. A count of null is ignored. */
  #readUsage(usage: JsonObject | undefined): LMDelta[] {
    if (usage === undefined) return []
    this.#usage = { ...this.#usage, ...Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null)) }
    const read = readUsage(this.#usage)
    return read === undefined ? [] : [{ type: 'usage', usage: read }]
  }

  #finish(): LMDelta[] {
    const finishReason = toFinish(this.#rawFinishReason)
    const stopped = this.#blocks.flatMap((block) => this.#stop(block))
    return [...stopped, ...this.#calls.end(finishReason, this.#blocks.at(-1)?.key), ...this.#close(finishReason ?? 'other')]
  }

  #fail(error: LMDelta): LMDelta[] {
    if (this.#isOver) return [error, { type: 'finish', finishReason: 'error' }]
    return [error, ...this.#calls.end(undefined, undefined), ...this.#close('error')]
  }

  #close(finishReason: FinishReason): LMDelta[] {
    this.#isOver = true
    const blocks = this.#blocks.filter(({ isStopped }) => isStopped)
    const metadata = keepBlocks(
      blocks.map((block) => ({ raw: block.whole(), callId: this.#calls.idOf(block.key) })),
      this.#rawFinishReason,
      this.#container,
    )
    return [
      ...(metadata === undefined ? [] : [{ type: 'metadata' as const, metadata }]),
      {
        type: 'finish',
        finishReason,
        ...optional({ rawFinishReason: finishReason === 'error' ? undefined : this.#rawFinishReason }),
      },
    ]
  }
}

type TextType = 'text' | 'thinking'

/** Returns a delta with answer text or thinking, whichever the block contains. */
function toText({ type }: JsonObject, piece: JsonObject): LMDelta[] {
  const text = type === 'text' || type === 'thinking' ? stringAt(piece, type) : undefined
  return text ? [{ type: type === 'text' ? 'text' : 'reasoning', text }] : []
}
