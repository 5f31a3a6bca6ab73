/** Locks a database file for one process, also after an owner was killed. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotOwned, own } from '@x/file-owner'
import { assertUsable, cannotOpen } from './cannot-open.ts'
import { SqlError } from './sql-client.ts'

/** Releases the file; a second call does nothing. */
export type Release = () => void

export interface OwnerOptions {
  /** Maximum time to wait for another process to release it, in milliseconds. Default: 2,000. */
  waitMs?: number | undefined
}

const RETRY_MS = 50

/**
 * Locks the file for this process with an owner file beside it. Removes what a killed owner left: its owner file, and the lock
 * directory of node-sqlite3-wasm, which no other program would remove. Rejects with `in_use` while a live process owns it.
 */
export async function ownFile(file: string, { waitMs = 2000 }: OwnerOptions = {}): Promise<Release> {
  assertUsable(file)
  const deadline = Date.now() + waitMs
  const clear = () => removeFolder(`${file}.lock`)
  for (;;) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      const { release } = own(file, clear)
      let isOwned = true
      return () => {
        if (!isOwned) return
        isOwned = false
        // The worker has ended: a remaining lock is left over from a statement that was interrupted.
        clear()
        release()
      }
    } catch (error) {
      if (!(error instanceof NotOwned)) throw cannotOpen(file, error)
      if (Date.now() >= deadline || error.isOwn) throw inUse(file, error)
    }
    await sleep(RETRY_MS)
  }
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // It doesn't exist, or isn't empty and so isn't ours.
  }
}

function inUse(file: string, { owner, isOwn }: NotOwned): SqlError {
  const who = owner === undefined ? 'another process' : isOwn ? 'this process already' : `process ${owner.pid}`
  return new SqlError('in_use', `The database ${file} is in use by ${who}. Wait until it ends, or use another file.`)
}
