/** Ensures that only one process at a time writes to a database file or folder, even after a process was killed. */
import { NotOwned, removeSqliteLock, waitToOwn } from '@x/file-owner'
import { databaseError } from './database-error.ts'
import { assertFolder, assertUsable, cannotOpen } from './sqlite/sqlite-file.ts'

export interface Release {
  /** Removes the lock that a thread leaves behind if it was stopped during a statement. Call it after the thread has ended. */
  ended(): void
  /** Releases the file. A second call has no effect. */
  done(): void
}

export interface OwnerOptions {
  /** Maximum time to wait for another process to release the file, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Claims a database file for this process by creating an owner file beside it. If an earlier owner was killed, removes its owner file and
 * the lock directory of node-sqlite3-wasm, which no other program would remove. Rejects with `busy` while a running process owns the file.
 */
export async function ownFile(file: string, options: OwnerOptions = {}): Promise<Release> {
  assertUsable(file)
  const clear = () => removeSqliteLock(file)
  const release = await own(file, 'file', options, clear)
  let isOwned = true
  return {
    ended: () => {
      if (isOwned) clear()
    },
    done: () => {
      isOwned = false
      release()
    },
  }
}

/**
 * Claims a database folder for this process by creating an owner file beside it. Resolves with a function that releases the folder. Rejects
 * with `busy` while a running process owns the folder.
 */
export async function ownFolder(folder: string, options: OwnerOptions = {}): Promise<() => void> {
  assertFolder(folder)
  return own(folder, 'folder', options)
}

async function own(path: string, what: 'file' | 'folder', { waitMs }: OwnerOptions, clear?: () => void): Promise<() => void> {
  try {
    return await waitToOwn(path, waitMs, clear)
  } catch (error) {
    throw error instanceof NotOwned ? inUse(error, what) : cannotOpen(error, what)
  }
}

function inUse({ isElsewhere, isOwn }: NotOwned, what: 'file' | 'folder'): Error {
  if (isElsewhere) {
    return databaseError(
      'busy',
      `The database ${what} is in use by a program on another machine or in another container. If that program is gone, delete the owner file beside it, which has the same name plus ".owner".`,
    )
  }
  const words = isOwn ? 'this program has already opened it' : 'another program has opened it'
  const wayOut = what === 'file' ? 'Close it first, or open it with readOnly: true.' : 'Close it first.'
  return databaseError('busy', `The database ${what} is in use: ${words}. ${wayOut}`)
}
