/** One process at a time works on a database file, also after a process was killed. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotOwned, own } from '@x/file-owner'
import { assertUsable, cannotOpen } from './cannot-open.ts'
import { SqlError } from './sql-client.ts'

/** Releases the file; a second call does nothing. */
export type Release = () => void

export interface OwnerOptions {
  /** How long to wait for another process to let go, in milliseconds. Default: 2,000. */
  waitMs?: number | undefined
}

const RETRY_MS = 50

/**
 * Takes the file for this process by an owner file beside it, and clears what a killed owner left: its owner file, and the lock
 * directory of node-sqlite3-wasm, which no other program would ever remove. Rejects with `in_use` while a living process owns it.
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
        // The worker has ended: a lock that is still there is what it left when it was stopped in mid-statement.
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
    // Not there, or not empty and so not ours.
  }
}

function inUse(file: string, { owner, isOwn }: NotOwned): SqlError {
  const who = owner === undefined ? 'another process' : isOwn ? 'this process already' : `process ${owner.pid}`
  return new SqlError('in_use', `The database ${file} is in use by ${who}. Wait until it ends, or use another file.`)
}
