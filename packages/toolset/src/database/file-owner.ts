/** Lets one process at a time write a database's file or folder. Recovers after a process was killed. */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotOwned, own as ownPath } from '@x/file-owner'
import { databaseError } from './database-error.ts'
import { assertFolder, assertUsable, cannotOpen } from './sqlite/sqlite-file.ts'

export interface Release {
  /** Call when a thread that used the file has ended. Removes the lock that it left when it was stopped during a statement. */
  ended(): void
  /** Releases the file. A second call does nothing. */
  done(): void
}

export interface OwnerOptions {
  /** How long to wait for another process to release it, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Claims the file for this process with an owner file beside it. Removes what a killed owner left: its owner file, and the lock
 * directory of node-sqlite3-wasm, which no other program would remove. Rejects with `busy` while a living process owns the file.
 */
export async function ownFile(file: string, options: OwnerOptions = {}): Promise<Release> {
  assertUsable(file)
  /** Lock directory that node-sqlite3-wasm creates while it reads or writes. */
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

/**
 * Claims a folder with an owner file beside it. Resolves with a function that releases it. Rejects with `busy` while a living
 * process owns it.
 */
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
    // It doesn't exist, or isn't empty and so isn't ours.
  }
}

function inUse({ isElsewhere, isOwn }: NotOwned, what: 'file' | 'folder'): Error {
  if (isElsewhere) {
    return databaseError(
      'busy',
      `The database ${what} is in use by a program on another machine or in another container. If that program is gone, delete ${what.toUpperCase()}.owner beside it.`,
    )
  }
  const words = isOwn ? 'this program has already opened it' : 'another program has opened it'
  const wayOut = what === 'file' ? 'Close it there, or open it with readOnly: true.' : 'Close it there.'
  return databaseError('busy', `The database ${what} is in use: ${words}. ${wayOut}`)
}
