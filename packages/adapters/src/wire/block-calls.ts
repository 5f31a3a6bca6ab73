/** Decodes streamed calls that arrive as blocks. Only the finish reason shows whether the last block is complete. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, LMDelta, Metadata } from '../protocol/protocol.ts'
import type { CallIds } from './call-ids.ts'
import { StreamedCalls } from './streamed-calls.ts'

interface BlockCall {
  readonly rawId: string | undefined
  readonly metadata: Metadata | undefined
  isStopped: boolean
  /** True if the arguments so far are empty, are `null`, or end with `}`. */
  isClosed: boolean
}

/** Emits the deltas of calls in blocks. The caller chooses the key of each block. */
export class BlockCalls {
  readonly #wire: string
  readonly #calls: StreamedCalls<number>
  readonly #open = new Map<number, BlockCall>()
  /** Stopped blocks whose calls haven't been ended yet. Without this set, each new block would search through all open calls. */
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

  /** Returns the emitted id of the call in a block. */
  idOf(key: number): string | undefined {
    return this.#ids.get(key)
  }

  /** True if the block has an open call with this id. Used to detect a relay that repeats the start of a call. */
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

  /** Marks a block as stopped. `whole` is the complete argument text, which is used if no pieces arrived. */
  stop(key: number, whole: string): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined || call.isStopped) return []
    const deltas = this.#calls.lengthOf(key) === 0 ? this.#calls.append(key, whole) : []
    call.isStopped = true
    this.#stopped.add(key)
    return deltas
  }

  /** Ends the calls of stopped blocks. These calls are complete, because another block has started. */
  endStopped(): LMDelta[] {
    return [...this.#stopped].flatMap((key) => this.#end(key, false))
  }

  /**
   * Ends all open calls. In a truncated reply, only the call in the last block is incomplete. Without a finish reason, a call is incomplete
   * if its block hasn't stopped or its JSON object isn't closed.
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

/** Returns metadata with the provider's id if a generated id replaced that id. */
export function rawIdMetadata(wire: string, rawId: string | undefined, id: string): Metadata | undefined {
  return rawId === undefined || rawId === '' || rawId === id ? undefined : { [wire]: { id: rawId } }
}
