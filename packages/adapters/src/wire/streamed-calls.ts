/** Emits the deltas of streamed calls, for APIs that mark the start of each call. Every call is started and ended exactly once. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, LMDelta, RawToolCall } from '../protocol/protocol.ts'
import type { CallIds } from './call-ids.ts'

interface OpenCall {
  readonly index: number
  length: number
  isOver: boolean
}

export interface CallEnd {
  /** The complete argument text, if the API repeats it at the end. */
  readonly arguments?: string | undefined
  readonly truncated?: boolean | undefined
  readonly metadata?: RawToolCall['metadata']
}

/** Collects the calls of one stream. `Key` identifies a call in the events of the API, such as an index or an item id. */
export class StreamedCalls<Key> {
  readonly #ids: CallIds
  readonly #byKey = new Map<Key, OpenCall>()
  readonly #calls: OpenCall[] = []

  constructor(ids: CallIds) {
    this.#ids = ids
  }

  /** Starts a call. If there is already a call with this key, that call is ended first. */
  start(key: Key, rawId: string | undefined, name: string): LMDelta[] {
    const ended = this.end(key)
    const call = { index: this.#calls.length, length: 0, isOver: false }
    this.#calls.push(call)
    this.#byKey.set(key, call)
    return [...ended, { type: 'call_start', index: call.index, id: this.#ids.take(rawId), name }]
  }

  /** Returns the length of the arguments received so far, in UTF-16 units. */
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

  /** Ends all open calls at the end of the stream. They count as truncated unless the finish reason shows that the reply is complete. */
  endAll(finishReason: FinishReason | undefined): LMDelta[] {
    const truncated = finishReason === undefined || isCutBy(finishReason)
    return [...this.#byKey.keys()].flatMap((key) => this.end(key, truncated ? { truncated } : {}))
  }
}
