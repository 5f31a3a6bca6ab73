/** Decodes the lines of a streamed Ollama reply into deltas. */
import { isCutBy } from '../../protocol/finish.ts'
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import { BlockCalls } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { readError } from '../openai-chat/read.ts'
import { objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { readCalls, readUsage, toFinish, type WireCall } from './read.ts'

/** Decodes an Ollama stream. Calls arrive complete and in order. */
export class OllamaStream implements StreamDecoder {
  readonly #calls: BlockCalls
  #count = 0
  #finishReason: FinishReason | undefined
  #ended = false

  constructor(ids: CallIds) {
    this.#calls = new BlockCalls('ollama', ids)
  }

  push(line: unknown): readonly LMDelta[] {
    const deltas: LMDelta[] = []
    const error = readError(line)
    if (error !== undefined) deltas.push({ type: 'error', error })
    const message = objectAt(line, 'message')
    const thinking = stringAt(message, 'thinking')
    if (thinking) deltas.push({ type: 'reasoning', text: thinking })
    const text = stringAt(message, 'content')
    if (text) deltas.push({ type: 'text', text })
    for (const call of readCalls(message)) deltas.push(...this.#readCall(call))
    const usage = readUsage(line)
    if (usage !== undefined) deltas.push({ type: 'usage', usage })
    return [...deltas, ...this.#readFinish(line)]
  }

  end(): readonly LMDelta[] {
    if (this.#ended) return []
    this.#ended = true
    const deltas = this.#calls.end(this.#finishReason, this.#count - 1)
    // A stream without an end line is incomplete.
    return this.#finishReason === undefined ? [...deltas, { type: 'finish', finishReason: 'error' }] : deltas
  }

  #readCall({ rawId, name, arguments: text }: WireCall): LMDelta[] {
    const key = this.#count++
    return [...this.#calls.endStopped(), ...this.#calls.start(key, rawId, name), ...this.#calls.stop(key, text)]
  }

  #readFinish(line: unknown): LMDelta[] {
    const finishReason = toFinish(line, this.#count > 0)
    // A later finish reason doesn't make a truncated reply complete.
    if (finishReason === undefined || isCutBy(this.#finishReason)) return []
    this.#finishReason = finishReason
    return [{ type: 'finish', finishReason, ...optional({ rawFinishReason: stringAt(line, 'done_reason') }) }]
  }
}
