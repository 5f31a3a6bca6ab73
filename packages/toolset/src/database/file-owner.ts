/** Makes sure that one process at a time writes the file or the folder of a database, also after a process was killed. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseError } from './database-error.ts'
import { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
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
 * directory of node-sqlite3-wasm, which nobody else would ever remove. Rejects with `busy` while a living process owns it.
 */
export async function ownFile(file: string, options: OwnerOptions = {}): Promise<Release> {
  assertUsable(file)
  const lock = lockOf(file)
  const done = await own({ path: file, what: 'file', lock }, options)
  // A program that opened the file without this module may hold the lock right now, but not for long.
  if (ageOf(lock) > STALE_MS) removeFolder(lock)
  let isOwned = true
  return {
    ended: () => {
      if (isOwned) removeFolder(lock)
    },
    done: () => {
      isOwned = false
      done()
    },
  }
}

/** Takes a folder by an owner file beside it, and gives how to let go of it. Rejects with `busy` while a living process owns it. */
export async function ownFolder(folder: string, options: OwnerOptions = {}): Promise<() => void> {
  assertFolder(folder)
  return own({ path: folder, what: 'folder' }, options)
}

interface Owned {
  readonly path: string
  readonly what: 'file' | 'folder'
  /** A directory that a killed owner may have left. */
  readonly lock?: string | undefined
}

async function own(owned: Owned, { waitMs = 2000 }: OwnerOptions): Promise<() => void> {
  createFolder(owned.path)
  const deadline = Date.now() + waitMs
  for (;;) {
    const holder = tryToOwn(owned)
    if (holder === undefined) break
    if (Date.now() >= deadline || isOwn(holder)) throw inUse(holder, owned)
    await sleep(RETRY_MS)
  }
  let isOwned = true
  return () => {
    if (isOwned) rmSync(ownerFile(owned.path), { force: true })
    isOwned = false
  }
}

const RETRY_MS = 50
const STALE_MS = 10_000
/** An owner file without words may be just being written. */
const WRITING_MS = 1000

function ownerFile(file: string): string {
  return `${file}.owner`
}

/** The directory that node-sqlite3-wasm makes while it reads or writes. */
function lockOf(file: string): string {
  return `${file}.lock`
}

/** Undefined when it is ours now, else who has it. */
function tryToOwn({ path, lock }: Owned): ProcessMark | undefined {
  if (writeOwner(path)) return undefined
  return (
    livingOwner(path) ??
    withTakeover(path, () => {
      // Another process may have taken over between the look and the guard.
      const owner = livingOwner(path)
      if (owner !== undefined) return owner
      if (lock !== undefined) removeFolder(lock)
      rmSync(ownerFile(path), { force: true })
      return writeOwner(path) ? undefined : UNKNOWN
    })
  )
}

const UNKNOWN: ProcessMark = { pid: 0, started: null, place: null }

/** False when there is an owner file already. */
function writeOwner(file: string): boolean {
  try {
    writeFileSync(ownerFile(file), JSON.stringify(markOf(process.pid)), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false
    throw cannotOpen(error)
  }
}

function livingOwner(file: string): ProcessMark | undefined {
  const owner = readOwner(file)
  if (owner === undefined) return ageOf(ownerFile(file)) < WRITING_MS ? UNKNOWN : undefined
  return isRunning(owner) ? owner : undefined
}

function readOwner(file: string): ProcessMark | undefined {
  try {
    const { pid, started, place } = JSON.parse(readFileSync(ownerFile(file), 'utf8')) as Partial<ProcessMark>
    return Number.isInteger(pid) && Number(pid) > 0
      ? { pid: Number(pid), started: started ?? null, place: place ?? null }
      : undefined
  } catch {
    return undefined
  }
}

/** One process at a time clears after a dead one; a directory, since making one is atomic everywhere. */
function withTakeover(file: string, work: () => ProcessMark | undefined): ProcessMark | undefined {
  const guard = `${ownerFile(file)}.takeover`
  try {
    mkdirSync(guard)
  } catch {
    if (ageOf(guard) > STALE_MS) removeFolder(guard)
    return UNKNOWN
  }
  try {
    return work()
  } finally {
    removeFolder(guard)
  }
}

function ageOf(path: string): number {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return modified === undefined ? 0 : Date.now() - modified
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Not there, or not empty and so not ours.
  }
}

function createFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw cannotOpen(error)
  }
}

function isOwn(owner: ProcessMark): boolean {
  return owner.pid === process.pid && isHere(owner)
}

function inUse(owner: ProcessMark, { what }: Owned): Error {
  if (!isHere(owner)) {
    return databaseError(
      'busy',
      `The database ${what} is in use by a program of another machine or container. If that is gone, remove ${what.toUpperCase()}.owner beside it.`,
    )
  }
  const words = isOwn(owner) ? 'this program opened it already' : 'another program works on it'
  const wayOut = what === 'file' ? 'Close it there, or open it for reading only.' : 'Close it there.'
  return databaseError('busy', `The database ${what} is in use: ${words}. ${wayOut}`)
}
