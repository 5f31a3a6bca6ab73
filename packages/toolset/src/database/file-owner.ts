/** Makes sure that one process at a time writes the file or the folder of a database, also after a process was killed. */
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseError } from './database-error.ts'
import { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
import { readRegular } from './read-regular.ts'
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
/** A guard without words may be just being written. */
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
  const file = ownerFile(path)
  if (writeMark(file)) return undefined
  return (
    livingOwner(file) ??
    withTakeover(file, () => {
      // Another process may have taken over between the look and the guard.
      const owner = livingOwner(file)
      if (owner !== undefined) return owner
      if (lock !== undefined) removeFolder(lock)
      rmSync(file, { force: true })
      return writeMark(file) ? undefined : UNKNOWN
    })
  )
}

const UNKNOWN: ProcessMark = { pid: 0, started: null, place: null }

/** False when there is such a file already. */
function writeMark(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(markOf(process.pid)), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false
    throw cannotOpen(error)
  }
}

function livingOwner(file: string): ProcessMark | undefined {
  const owner = readMark(file)
  if (owner === undefined) return ageOf(file) < WRITING_MS ? UNKNOWN : undefined
  return isRunning(owner) ? owner : undefined
}

/** Undefined when there is none, or none that says anything: its writer was killed in the middle. Throws for what can't be read. */
function readMark(path: string): ProcessMark | undefined {
  let text: string
  try {
    text = readRegular(path, MAX_MARK_BYTES)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw cannotOpen(error)
  }
  try {
    const { pid, started, place } = JSON.parse(text) as Partial<ProcessMark>
    return Number.isSafeInteger(pid) && Number(pid) > 0
      ? { pid: Number(pid), started: started ?? null, place: place ?? null }
      : undefined
  } catch {
    return undefined
  }
}

/** A longer owner file says nothing. */
const MAX_MARK_BYTES = 4096

/** One process at a time clears up after a dead one: its guard, a file as that of an owner, is made only once. */
function withTakeover(file: string, work: () => ProcessMark | undefined): ProcessMark | undefined {
  const guard = `${file}.takeover`
  if (isLeft(guard)) removeLeft(guard)
  if (!writeMark(guard)) return UNKNOWN
  try {
    return work()
  } finally {
    rmSync(guard, { force: true })
  }
}

/** True for a guard whose process was killed. One that stands still may go on at any time, and would take away what is another's. */
function isLeft(guard: string): boolean {
  const owner = readMark(guard)
  return owner === undefined ? ageOf(guard) > STALE_MS : !isRunning(owner)
}

/** Another process may have removed it since it was looked at, and made its own: that one stays. A rename takes exactly one of them. */
function removeLeft(guard: string): void {
  const taken = `${guard}.${randomUUID()}`
  try {
    renameSync(guard, taken)
    if (!isLeft(taken)) linkSync(taken, guard)
  } catch {
    // Another process removed it, or has made one since.
  } finally {
    rmSync(taken, { force: true })
  }
}

function ageOf(path: string): number {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  // A clock may have been set back since.
  return modified === undefined ? 0 : Math.abs(Date.now() - modified)
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
