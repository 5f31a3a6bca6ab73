/** Claims a database file, and waits if another process owns it. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clear, NotOwned, own } from './own.ts'

const RETRY_MS = 50

/**
 * Like `own`, but waits up to `waitMs` while another process owns the file. Creates the file's folder. Resolves with a function that
 * releases the file. Calling that function again does nothing.
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

/** Removes the lock directory that node-sqlite3-wasm leaves behind if its process or thread is killed. */
export function removeSqliteLock(file: string): void {
  try {
    rmdirSync(`${file}.lock`)
  } catch {
    // There is no lock: the directory doesn't exist or isn't empty.
  }
}
