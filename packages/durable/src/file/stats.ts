/** Counts the runs in a folder. */
import type { EngineStats } from '../engine/engine.ts'
import type { RunStore } from './run-store.ts'

interface Known {
  readonly stamp: string
  readonly isHeld: boolean
}

export class Stats {
  readonly #store: RunStore
  /** Whether each run without a worker is held, with the stamp of its journal when it was read. */
  #known = new Map<string, Known>()

  constructor(store: RunStore) {
    this.#store = store
  }

  /** Journals of waiting and held runs are read only if they have changed since the last call. */
  async read(): Promise<EngineStats> {
    const { folder, report } = this.#store
    const counts = { queued: 0, running: 0, waiting: 0, held: 0, oldestQueuedMs: 0 }
    const known = new Map<string, Known>()
    const now = Date.now()
    for (const { id, place, stamp, writtenAt } of await folder.unended()) {
      if (place === 'waiting') {
        // A damaged journal is reported and counts as waiting.
        const isHeld = async () => (await folder.read(id).catch(report))?.misfit !== undefined
        const before = this.#known.get(id)
        const run = before?.stamp === stamp ? before : { stamp, isHeld: await isHeld() }
        known.set(id, run)
        counts[run.isHeld ? 'held' : 'waiting']++
      } else if (this.#store.isHeld(id)) counts.running++
      else {
        counts.queued++
        counts.oldestQueuedMs = Math.max(counts.oldestQueuedMs, Math.round(now - writtenAt))
      }
    }
    this.#known = known
    return counts
  }
}
