/** Calls that are blocks among others in a stream: whether the last block is whole is known only when the reply says why it ended. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, LMDelta, Metadata } from '../protocol/protocol.ts'
import type { CallIds } from './call-ids.ts'
import { StreamedCalls } from './streamed-calls.ts'

interface BlockCall {
  readonly rawId: string | undefined
  readonly metadata: Metadata | undefined
  isStopped: boolean
  /** The arguments so far end as an object does, or are none. */
  isClosed: boolean
}

/** Keys are the caller's, one for each block. */
export class BlockCalls {
  readonly #wire: string
  readonly #calls: StreamedCalls<number>
  readonly #open = new Map<number, BlockCall>()
  /** Those of them that have stopped: a block may begin while many are open. */
  readonly #stopped = new Set<number>()
  readonly #ids = new Map<number, string>()

  constructor(wire: string, ids: CallIds) {
    this.#wire = wire
    this.#calls = new StreamedCalls(ids)
  }

  start(key: number, rawId: string | undefined, name: string): LMDelta[] {
    const deltas = this.#calls.start(key, rawId, name)
    for (const delta of deltas) {
      if (delta.type !== 'call_start') continue
      this.#ids.set(key, delta.id)
      const metadata = rawIdMetadata(this.#wire, rawId, delta.id)
      this.#open.set(key, { rawId, metadata, isStopped: false, isClosed: true })
    }
    return deltas
  }

  /** The id under which the call of a block is known. */
  idOf(key: number): string | undefined {
    return this.#ids.get(key)
  }

  /** Whether the call of a block has begun under this id and goes on: a relay may send its start twice. */
  isOpen(key: number, rawId: string | undefined): boolean {
    const call = this.#open.get(key)
    return call !== undefined && !call.isStopped && !!rawId && call.rawId === rawId
  }

  append(key: number, text: string): LMDelta[] {
    const call = this.#open.get(key)
    if (call?.isStopped) return []
    if (call !== undefined && text.trim() !== '') call.isClosed = text.trimEnd().endsWith('}') || text.trim() === 'null'
    return this.#calls.append(key, text)
  }

  /** `whole` is the text of a call that came without pieces. */
  stop(key: number, whole: string): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined || call.isStopped) return []
    const deltas = this.#calls.lengthOf(key) === 0 ? this.#calls.append(key, whole) : []
    call.isStopped = true
    this.#stopped.add(key)
    return deltas
  }

  /** Another block begins, or the stream breaks off: calls that have stopped are whole. */
  endStopped(): LMDelta[] {
    return [...this.#stopped].flatMap((key) => this.#end(key, false))
  }

  /**
   * The end of the reply: it was cut off in its last block, if at all. Without a reason, what has not stopped is only a part, and so
   * is what stopped in the middle: the reason that did not come would have said so.
   */
  end(finishReason: FinishReason | undefined, lastKey: number | undefined): LMDelta[] {
    return [...this.#open].flatMap(([key, { isStopped, isClosed }]) =>
      this.#end(key, finishReason === undefined ? !isStopped || !isClosed : key === lastKey && isCutBy(finishReason)),
    )
  }

  #end(key: number, truncated: boolean): LMDelta[] {
    const metadata = this.#open.get(key)?.metadata
    this.#open.delete(key)
    this.#stopped.delete(key)
    return this.#calls.end(key, { ...(truncated && { truncated }), ...(metadata && { metadata }) })
  }
}

/** A call's metadata where its id had to be minted though the provider sent one. */
export function rawIdMetadata(wire: string, rawId: string | undefined, id: string): Metadata | undefined {
  return rawId === undefined || rawId === '' || rawId === id ? undefined : { [wire]: { id: rawId } }
}
