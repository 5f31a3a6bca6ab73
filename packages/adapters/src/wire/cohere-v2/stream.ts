/** Decodes the events of a streamed Cohere reply into deltas. */
import { isCutBy } from '../../protocol/finish.ts'
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import { BlockCalls } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { readError } from '../openai-chat/read.ts'
import { fieldAt, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import type { CohereBlock } from './body.ts'
import { readEntries } from './decode.ts'
import { readUsage, toFinish } from './read.ts'
import { readBlocks, textOf, thinkingOf, toMetadata } from './turn.ts'

/** Decodes a Cohere stream. Events identify calls by index. */
export class CohereStream implements StreamDecoder {
  readonly #calls: BlockCalls
  readonly #blocks: { readonly type: CohereBlock['type']; readonly pieces: string[] }[] = []
  readonly #plan: string[] = []
  readonly #citations: unknown[] = []
  /** Index of the call that was started last. */
  #last: number | undefined
  #hasThinking = false
  #finishReason: FinishReason | undefined
  #ended = false

  constructor(ids: CallIds) {
    this.#calls = new BlockCalls('cohere-v2', ids)
  }

  push(event: unknown): readonly LMDelta[] {
    const error = readError(event) ?? readError(fieldAt(event, 'delta'))
    const deltas = this.#read(event)
    return error === undefined ? deltas : [{ type: 'error', error }, ...deltas]
  }

  end(): readonly LMDelta[] {
    if (this.#ended) return []
    this.#ended = true
    const deltas = this.#calls.end(this.#finishReason, this.#last)
    const metadata = toMetadata(this.#blocks.map(toBlock), this.#plan.join(''), this.#citations)
    if (metadata !== undefined) deltas.push({ type: 'metadata', metadata })
    // A stream without an end event is incomplete.
    if (this.#finishReason === undefined) deltas.push({ type: 'finish', finishReason: 'error' })
    return deltas
  }

  #read(event: unknown): LMDelta[] {
    const delta = objectAt(event, 'delta')
    const message = objectAt(delta, 'message')
    const type = stringAt(event, 'type') ?? stringAt(event, '_event')
    const key = numberAt(event, 'index') ?? this.#last ?? 0
    switch (type) {
      case 'message-start':
      case 'content-start':
      case 'content-delta':
        return this.#readContent(fieldAt(message, 'content'))
      case 'tool-plan-delta':
        return this.#readPlan(stringAt(message, 'tool_plan') ?? '')
      case 'tool-call-start':
      case 'tool-call-delta':
        return readEntries(message).flatMap((entry) => this.#readCall(key, entry, type === 'tool-call-start'))
      case 'tool-call-end':
        return this.#calls.stop(key, '')
      case 'citation-start': {
        const citation = objectAt(message, 'citations')
        if (citation !== undefined) this.#citations.push(citation)
        return []
      }
      case 'message-end':
        return this.#readEnd(delta)
      default:
        return []
    }
  }

  /** Reads one part or a list of parts. */
  #readContent(content: unknown): LMDelta[] {
    const blocks = readBlocks(typeof content === 'object' && !Array.isArray(content) ? [content] : content)
    for (const block of blocks) this.#keep(block)
    const thinking = thinkingOf(blocks)
    const text = textOf(blocks)
    const deltas: LMDelta[] = []
    if (thinking !== '') deltas.push({ type: 'reasoning', text: thinking })
    if (text !== '') deltas.push({ type: 'text', text })
    return deltas
  }

  #keep(block: CohereBlock): void {
    const piece = block.type === 'text' ? block.text : block.thinking
    if (piece === '') return
    if (block.type === 'thinking') this.#hasThinking = true
    const last = this.#blocks.at(-1)
    if (last?.type === block.type) last.pieces.push(piece)
    else this.#blocks.push({ type: block.type, pieces: [piece] })
  }

  #readPlan(text: string): LMDelta[] {
    if (text === '') return []
    this.#plan.push(text)
    return this.#hasThinking ? [] : [{ type: 'reasoning', text }]
  }

  #readCall(key: number, entry: unknown, starts: boolean): LMDelta[] {
    const body = objectAt(entry, 'function')
    const rawId = stringAt(entry, 'id')
    const opens = starts && body !== undefined && !this.#calls.isOpen(key, rawId)
    const opened = opens ? this.#open(key, rawId, stringAt(body, 'name') ?? '') : []
    return [...opened, ...this.#calls.append(key, argumentsText(fieldAt(body, 'arguments')))]
  }

  #open(key: number, rawId: string | undefined, name: string): LMDelta[] {
    this.#last = key
    return [...this.#calls.endStopped(), ...this.#calls.start(key, rawId, name)]
  }

  #readEnd(delta: unknown): LMDelta[] {
    const rawFinishReason = stringAt(delta, 'finish_reason')
    const finishReason = readError(delta) ? 'error' : (toFinish(rawFinishReason, this.#last !== undefined) ?? 'other')
    const usage = readUsage(delta)
    const deltas: LMDelta[] = usage ? [{ type: 'usage', usage }] : []
    // A later finish reason doesn't make a truncated reply complete.
    if (isCutBy(this.#finishReason)) return deltas
    this.#finishReason = finishReason
    return [...deltas, { type: 'finish', finishReason, ...optional({ rawFinishReason }) }]
  }
}

function toBlock({ type, pieces }: { readonly type: CohereBlock['type']; readonly pieces: readonly string[] }): CohereBlock {
  return type === 'text' ? { type, text: pieces.join('') } : { type, thinking: pieces.join('') }
}
