/** Ensures that only one process at a time owns a file or a folder, even after a process was killed. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, linkSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
import { readRegularSync } from './regular-file.ts'

/** Suffix of an owner file's name. */
export const OWNER = '.owner'

/** Thrown if another process owns the file or is taking it over. `owner` is undefined while it isn't known which process that is. */
export class NotOwned extends Error {
  readonly owner: ProcessMark | undefined
  /** True if another process is just replacing a dead owner. */
  readonly isTakeover: boolean

  constructor(owner?: ProcessMark, isTakeover = false) {
    super('The file is in use.')
    this.name = 'NotOwned'
    this.owner = owner
    this.isTakeover = isTakeover
  }

  /** True if this process already owns the file. */
  get isOwn(): boolean {
    return this.owner?.pid === process.pid && isHere(this.owner)
  }

  /** True if the owner is on another machine or in another container. It's then unknown whether the owner is still running. */
  get isElsewhere(): boolean {
    return this.owner !== undefined && !isHere(this.owner)
  }
}

/**
 * Claims `file` by creating an owner file beside it. If a dead process on this host has left an owner file, replaces it. `clear` then
 * removes whatever else that process left behind. Throws `NotOwned` or a file system error.
 */
export function own(file: string, clear?: Clear): Owned {
  const path = `${file}${OWNER}`
  if (!tryWrite(path)) takeOver(path, clear)
  let isLate = false
  return {
    markBusy: () => appendFileSync(path, BUSY),
    release() {
      // A user may have deleted the owner file in the meantime, and another process may own the file now.
      if (isLate && readMark(path)?.pid !== process.pid) return
      isLate = true
      remove(path)
    },
  }
}

export interface Owned {
  /**
   * Marks this owner as busy. If this process dies, the process that replaces it sees the mark. Throws a file system error if that fails.
   */
  markBusy(): void
  /** Removes the owner file. If it throws, it may be called again. */
  release(): void
}

/** Removes the files of a dead owner. `wasBusy` is true if that owner had marked itself as busy. */
export type Clear = (wasBusy: boolean) => void

/** Marks a busy owner, at the end of its owner file. Earlier versions ignore it. */
const BUSY = '\n'

/** True if a process owns the file, or if that can't be determined. */
export function isOwned(file: string): boolean {
  const path = `${file}${OWNER}`
  try {
    const owner = readMark(path)
    return owner === undefined ? existsSync(path) && ageOf(path) < WRITING_MS : isRunning(owner)
  } catch {
    return true
  }
}

/** Shows processes in other containers that the owner is alive, by the time of its owner file. Throws a file system error. */
export function renew(file: string): void {
  const now = new Date()
  utimesSync(`${file}${OWNER}`, now, now)
}

export interface SilentOwner {
  readonly host: string
  /** Time since the owner has renewed its file, in milliseconds. */
  readonly silentMs: number
}

/** Returns the owner if it is on another machine or in another container, where this process can't determine whether it's still running. */
export function ownerElsewhere(file: string): SilentOwner | undefined {
  const path = `${file}${OWNER}`
  const owner = readMark(path)
  if (owner === undefined || isHere(owner)) return undefined
  return { host: owner.host ?? '', silentMs: ageOf(path) }
}

const NEW_FILE = { flag: 'wx', mode: 0o600 } as const
/** Maximum length of an owner file. A longer one is invalid. */
const MAX_MARK_BYTES = 4096
/**
 * How long an empty guard file counts as new, in milliseconds. Earlier versions, and this one on a file system without links, write the content
 * after they have created the file.
 */
const STALE_MS = 10_000
/** The same for an empty owner file. */
const WRITING_MS = 1000

/** Replaces a dead owner. Creates a guard file first, which only one process at a time can do. */
function takeOver(path: string, clear: Clear | undefined): void {
  assertGone(path)
  const guard = `${path}.takeover`
  if (isLeft(guard)) removeLeft(guard)
  if (!tryWrite(guard)) throw new NotOwned(undefined, true)
  try {
    // Another process may have replaced the dead owner before this one created the guard.
    assertGone(path)
    clear?.(isBusy(path))
    remove(path)
    if (!tryWrite(path)) throw new NotOwned()
  } finally {
    removeAnyway(guard)
  }
}

function assertGone(path: string): void {
  const owner = readMark(path)
  if (owner === undefined ? ageOf(path) < WRITING_MS : isRunning(owner)) throw new NotOwned(owner)
}

/** True for the guard of a killed process. The guard of a suspended process must be kept, because the process may resume at any time. */
function isLeft(guard: string): boolean {
  const owner = readMark(guard)
  return owner === undefined ? ageOf(guard) > STALE_MS : !isRunning(owner)
}

/**
 * Removes the guard of a killed process. Renames the guard first, and puts it back if it turns out to be the new guard of another process.
 */
function removeLeft(guard: string): void {
  const taken = newNameOf(guard)
  try {
    renameSync(guard, taken)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw cause
  }
  if (!isLeft(taken)) tryToLink(taken, guard)
  removeAnyway(taken)
}

function tryToLink(path: string, name: string): void {
  try {
    linkSync(path, name)
  } catch {
    // Another guard already exists.
  }
}

/**
 * Creates an owner file. Returns false if it already exists. It's written under another name first, so that no process sees it incomplete:
 * it would take this process for dead if this process was suspended between creating and writing.
 */
function tryWrite(path: string): boolean {
  if (existsSync(path)) return false
  const mark = JSON.stringify(markOf(process.pid))
  const complete = newNameOf(path)
  try {
    writeFileSync(complete, mark, NEW_FILE)
    try {
      linkSync(complete, path)
      return true
    } catch (cause) {
      // On a file system without links, the file may be seen incomplete.
      return codeOf(cause) !== 'EEXIST' && tryWriteInPlace(path, mark)
    }
  } finally {
    removeAnyway(complete)
  }
}

function tryWriteInPlace(path: string, mark: string): boolean {
  try {
    writeFileSync(path, mark, NEW_FILE)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    // If the disk is full, an empty file may still have been created.
    removeAnyway(path)
    throw cause
  }
}

/** Returns a name beside the file that no process uses. It is short, because the file's own name may be almost as long as a name can be. */
function newNameOf(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}`
}

function codeOf(cause: unknown): unknown {
  return (cause as { code?: unknown }).code
}

/**
 * Reads an owner file. Returns undefined if the file doesn't exist, or if it's incomplete because its writer was killed. Throws if the file
 * can't be opened.
 */
function readMark(path: string): ProcessMark | undefined {
  let text: string
  try {
    text = readRegularSync(path, MAX_MARK_BYTES).toString()
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
  try {
    // For databases, earlier versions wrote `place`.
    const { pid, started, host, place } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return undefined
    return { pid: Number(pid), started: textOf(started), host: textOf(host) ?? textOf(place) }
  } catch {
    return undefined
  }
}

function isBusy(path: string): boolean {
  return readRegularSync(path, MAX_MARK_BYTES).toString().endsWith(BUSY)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
  }
}

function removeAnyway(path: string): void {
  try {
    remove(path)
  } catch {
    // The file has no effect once this process is dead.
  }
}

function ageOf(path: string): number {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  // The clock may have been set back in the meantime.
  return modified === undefined ? 0 : Math.abs(Date.now() - modified)
}
