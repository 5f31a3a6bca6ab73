/** Deletes the journals of ended runs. */
import { notEnded } from '../engine/run-errors.ts'
import { codeOf } from './journal/file-errors.ts'
import type { RunStore } from './run-store.ts'

/** Maximum number of expired runs that are removed at once, so that a worker also looks for other runs. */
const AT_ONCE = 500

/**
 * Deletes an ended run. Waits for a process that is just recording its end. Rejects with `not_ended`, and with `in_use` if another
 * process doesn't release the run.
 */
export function remove(store: RunStore, id: string): Promise<void> {
  return store.patiently(() => removeNow(store, id))
}

/** Deletes runs that ended before `time`. Resolves to false if some of them are left. */
export async function removeExpired(store: RunStore, time: number): Promise<boolean> {
  const ids = await store.folder.idsEndedBefore(time)
  for (const id of ids.slice(0, AT_ONCE)) {
    if (store.isClosed) return true
    await removeNow(store, id, time).catch((cause) => {
      // Otherwise, another process has the run or has reopened it, or its journal is damaged, which `list` reports.
      if (codeOf(cause) === 'cannot_open' || codeOf(cause) === 'write_failed') store.report(cause)
    })
  }
  return ids.length <= AT_ONCE
}

async function removeNow(store: RunStore, id: string, endedBefore = Number.POSITIVE_INFINITY): Promise<void> {
  const { folder } = store
  const assertEnded = async () => {
    const records = await folder.read(id)
    if (records !== undefined && records.end === undefined) throw notEnded(id)
  }
  await store.alone(id, async () => {
    // Also checked without the lock, because taking the lock of a dead process would lose the count of a run's crashes.
    await assertEnded()
    await store.whileOwned(id, async () => {
      await assertEnded()
      const found = folder.find(id)
      if (found !== undefined && found.writtenAt < endedBefore) await folder.remove(found)
    })
  })
}
