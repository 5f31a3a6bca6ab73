/** Claims a database file, and waits while another process owns it. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clear, NotOwned, own } from './own.ts'

const RETRY_MS = 50

/**
 * Claims a file like `own`, but waits up to `waitMs` while another process owns it. Creates the folder of the file. Resolves with a
 * function that releases the file. A second call of that function has no effect.
 */
export async function waitToOwn(file: string, waitMs = 2000, clear?: Clear): Promise<() => void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      const { release } = own(file, clear)
      let isReleased = false
      return () => {
        if (!isReleased) release()
        isReleased = true
      }
    } catch (error) {
      if (!(error instanceof NotOwned) || error.isOwn || Date.now() >= deadline) throw error
    }
    await sleep(RETRY_MS)
  }
}

/** Removes the lock directory of node-sqlite3-wasm. The directory remains if the process or thread is killed. */
export function removeSqliteLock(file: string): void {
  try {
    rmdirSync(`${file}.lock`)
  } catch {
    // There is no lock: the directory doesn't exist or isn't empty.
  }
}
