/** The calls of a stream whose events say where each one begins: their deltas, in order, each call started and ended once. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, LMDelta, RawToolCall } from '../protocol/protocol.ts'
import type { CallIds } from './call-ids.ts'

interface OpenCall {
  readonly index: number
  length: number
  isOver: boolean
}

export interface CallEnd {
  /** The whole text, where the API repeats it at the end. */
  readonly arguments?: string | undefined
  readonly truncated?: boolean | undefined
  readonly metadata?: RawToolCall['metadata']
}

/** `Key` is what the API's events name a call by: an index, an item id. */
export class StreamedCalls<Key> {
  readonly #ids: CallIds
  readonly #byKey = new Map<Key, OpenCall>()
  readonly #calls: OpenCall[] = []

  constructor(ids: CallIds) {
    this.#ids = ids
  }

  /** A key that is used again opens another call; the earlier one ends. */
  start(key: Key, rawId: string | undefined, name: string): LMDelta[] {
    const ended = this.end(key)
    const call = { index: this.#calls.length, length: 0, isOver: false }
    this.#calls.push(call)
    this.#byKey.set(key, call)
    return [...ended, { type: 'call_start', index: call.index, id: this.#ids.take(rawId), name }]
  }

  has(key: Key): boolean {
    return this.#byKey.has(key)
  }

  /** How much of the arguments of a call has come, in UTF-16 units. */
  lengthOf(key: Key): number {
    return this.#byKey.get(key)?.length ?? 0
  }

  append(key: Key, text: string): LMDelta[] {
    const call = this.#byKey.get(key)
    if (call === undefined || call.isOver || text === '') return []
    call.length += text.length
    return [{ type: 'arguments', index: call.index, text }]
  }

  end(key: Key, end: CallEnd = {}): LMDelta[] {
    const call = this.#byKey.get(key)
    if (call === undefined || call.isOver) return []
    call.isOver = true
    return [{ type: 'call_end', index: call.index, ...end }]
  }

  /** Ends what is open when the stream is over. A call that has not ended is only a part, unless the reply came to its end. */
  endAll(finishReason: FinishReason | undefined): LMDelta[] {
    const truncated = finishReason === undefined || isCutBy(finishReason)
    return [...this.#byKey.keys()].flatMap((key) => this.end(key, truncated ? { truncated } : {}))
  }
}
