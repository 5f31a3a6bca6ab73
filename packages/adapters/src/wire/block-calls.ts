/** Calls that are blocks of a stream. Whether the last block is complete is only known from the finish reason. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, LMDelta, Metadata } from '../protocol/protocol.ts'
import type { CallIds } from './call-ids.ts'
import { StreamedCalls } from './streamed-calls.ts'

interface BlockCall {
  readonly rawId: string | undefined
  readonly metadata: Metadata | undefined
  isStopped: boolean
  /** The arguments so far end like an object, or are empty. */
  isClosed: boolean
}

/** Keys are chosen by the caller, one per block. */
export class BlockCalls {
  readonly #wire: string
  readonly #calls: StreamedCalls<number>
  readonly #open = new Map<number, BlockCall>()
  /** Blocks that have stopped. A block may start while many are open. */
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

  /** The id under which the call of a block was emitted. */
  idOf(key: number): string | undefined {
    return this.#ids.get(key)
  }

  /** True if the call of a block was started under this id and is still open. A relay may send its start twice. */
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

  /** `whole` is the text of a call that came in one piece. */
  stop(key: number, whole: string): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined || call.isStopped) return []
    const deltas = this.#calls.lengthOf(key) === 0 ? this.#calls.append(key, whole) : []
    call.isStopped = true
    this.#stopped.add(key)
    return deltas
  }

  /** Called when another block starts or the stream ends early. Calls that have stopped are complete. */
  endStopped(): LMDelta[] {
    return [...this.#stopped].flatMap((key) => this.#end(key, false))
  }

  /**
   * Ends the reply. If it was truncated, only its last block is incomplete. Without a finish reason, every block that hasn't
   * stopped is incomplete, and so is one that stopped without closing its object.
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

/** Metadata of a call whose id was generated although the provider sent one. */
export function rawIdMetadata(wire: string, rawId: string | undefined, id: string): Metadata | undefined {
  return rawId === undefined || rawId === '' || rawId === id ? undefined : { [wire]: { id: rawId } }
}
