/** Locks a database file for one process. A killed process doesn't keep its lock. */
import { NotOwned, removeSqliteLock, waitToOwn } from '@x/file-owner'
import { assertUsable, cannotOpen } from './cannot-open.ts'
import { SqlError } from './sql-client.ts'

/** Unlocks the file. Call it once, when the worker has ended. */
export type Release = () => void

/**
 * Locks the file for this process with an owner file beside it. Removes the files that a killed owner left behind: its owner file, and
 * the lock directory of node-sqlite3-wasm, which no other program would remove. Rejects with `in_use` while a live process owns the file.
 */
export async function ownFile(file: string, waitMs?: number): Promise<Release> {
  assertUsable(file)
  const clear = () => removeSqliteLock(file)
  try {
    const release = await waitToOwn(file, waitMs, clear)
    return () => {
      // If the lock directory still exists, an interrupted statement left it behind.
      clear()
      release()
    }
  } catch (error) {
    throw error instanceof NotOwned ? inUse(file, error) : cannotOpen(file, error)
  }
}

function inUse(file: string, { owner, isOwn }: NotOwned): SqlError {
  const who = owner === undefined ? 'another process' : isOwn ? 'this process' : `process ${owner.pid}`
  return new SqlError('in_use', `The database ${file} is in use by ${who}. Wait until it is released, or use another file.`)
}
