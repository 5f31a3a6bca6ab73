/** Counts the runs in a folder. */
import type { EngineStats, RunState } from '../engine/engine.ts'
import { isDamaged } from './journal/file-errors.ts'
import type { Found } from './run-folder.ts'
import { toStatus } from './run-records.ts'
import type { RunStore } from './run-store.ts'

/** The state of a run that no worker has. Undefined for a damaged journal, and for one without a start. */
interface Known {
  readonly stamp: string
  readonly state: RunState | undefined
}

export class Stats {
  readonly #store: RunStore
  /** The states when the journals were read, by run id. */
  #known = new Map<string, Known>()

  constructor(store: RunStore) {
    this.#store = store
  }

  /** Journals of runs that no worker has are read only if they have changed since the last call. */
  async read(): Promise<EngineStats> {
    const counts = { queued: 0, running: 0, waiting: 0, held: 0, oldestQueuedMs: 0 }
    const known = new Map<string, Known>()
    const now = Date.now()
    for (const found of await this.#store.folder.unended()) {
      const { id, stamp, writtenAt } = found
      if (this.#store.isOwned(id)) {
        counts.running++
        continue
      }
      const before = this.#known.get(id)
      const run = before?.stamp === stamp ? before : await this.#read(found)
      if (run.stamp === stamp) known.set(id, run)
      const { state } = run
      if (state === 'queued' || state === 'waiting' || state === 'held') counts[state]++
      if (state === 'queued') counts.oldestQueuedMs = Math.max(counts.oldestQueuedMs, Math.round(now - writtenAt))
    }
    this.#known = known
    return counts
  }

  async #read({ id, place, stamp }: Found & { readonly id: string }): Promise<Known> {
    try {
      const records = await this.#store.folder.read(id)
      return { stamp, state: records && toStatus(id, records, false).state }
    } catch (cause) {
      this.#store.report(cause)
      if (isDamaged(cause)) return { stamp, state: undefined }
      // The journal can't be read at the moment, so it is read again at the next call.
      return { stamp: '', state: place === 'waiting' ? 'waiting' : 'queued' }
    }
  }
}
