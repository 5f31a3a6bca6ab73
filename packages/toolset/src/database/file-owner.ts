/** One process at a time writes the file or the folder of a database, also after a process was killed. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotOwned, own as ownPath } from '@x/file-owner'
import { databaseError } from './database-error.ts'
import { assertFolder, assertUsable, cannotOpen } from './sqlite-file.ts'

export interface Release {
  /** A thread that worked on the file has ended: what it left when it was stopped in mid-statement is removed. */
  ended(): void
  /** Others may have the file; a second call does nothing. */
  done(): void
}

export interface OwnerOptions {
  /** How long to wait for another process to let go, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Takes the file for this process by an owner file beside it, and clears what a killed owner left: its owner file, and the lock
 * directory of node-sqlite3-wasm, which no other program would ever remove. Rejects with `busy` while a living process owns it.
 */
export async function ownFile(file: string, options: OwnerOptions = {}): Promise<Release> {
  assertUsable(file)
  /** The directory that node-sqlite3-wasm makes while it reads or writes. */
  const lock = `${file}.lock`
  const release = await own(file, 'file', options, () => removeFolder(lock))
  let isOwned = true
  return {
    ended: () => {
      if (isOwned) removeFolder(lock)
    },
    done: () => {
      isOwned = false
      release()
    },
  }
}

/** Takes a folder by an owner file beside it, and gives how to let go of it. Rejects with `busy` while a living process owns it. */
export async function ownFolder(folder: string, options: OwnerOptions = {}): Promise<() => void> {
  assertFolder(folder)
  return own(folder, 'folder', options)
}

const RETRY_MS = 50

async function own(
  path: string,
  what: 'file' | 'folder',
  { waitMs = 2000 }: OwnerOptions,
  clear?: () => void,
): Promise<() => void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      const { release } = ownPath(path, clear)
      let isOwned = true
      return () => {
        if (isOwned) release()
        isOwned = false
      }
    } catch (error) {
      if (!(error instanceof NotOwned)) throw cannotOpen(error)
      if (Date.now() >= deadline || error.isOwn) throw inUse(error, what)
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

function inUse({ isElsewhere, isOwn }: NotOwned, what: 'file' | 'folder'): Error {
  if (isElsewhere) {
    return databaseError(
      'busy',
      `The database ${what} is in use by a program of another machine or container. If that is gone, remove ${what.toUpperCase()}.owner beside it.`,
    )
  }
  const words = isOwn ? 'this program opened it already' : 'another program works on it'
  const wayOut = what === 'file' ? 'Close it there, or open it for reading only.' : 'Close it there.'
  return databaseError('busy', `The database ${what} is in use: ${words}. ${wayOut}`)
}
