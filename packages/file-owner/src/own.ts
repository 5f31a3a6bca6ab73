/** Makes sure that one process at a time has a file or a folder, also after a process was killed. */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
import { readRegularSync } from './regular-file.ts'

/** The end of an owner file's name, behind that of its file. */
export const OWNER = '.owner'

/** Another process has the file, or is about to have it: then there is no `owner` yet. */
export class NotOwned extends Error {
  readonly owner: ProcessMark | undefined
  /** Another process is clearing up after a dead one at this moment. */
  readonly isTakeover: boolean

  constructor(owner?: ProcessMark, isTakeover = false) {
    super('The file is in use.')
    this.name = 'NotOwned'
    this.owner = owner
    this.isTakeover = isTakeover
  }

  /** This process has it already. */
  get isOwn(): boolean {
    return this.owner?.pid === process.pid && isHere(this.owner)
  }

  /** It is of another machine or container, so nothing can be said of it from here. */
  get isElsewhere(): boolean {
    return this.owner !== undefined && !isHere(this.owner)
  }
}

/**
 * Takes `file` by an owner file beside it. The owner file of a process of this host that is gone is taken over; `clear` removes what else
 * that process left. `release` removes the owner file, and throws when it can't: then it may be called again. Throws `NotOwned`, or what
 * the file system throws.
 */
export function own(file: string, clear?: () => void): { release(): void } {
  const path = `${file}${OWNER}`
  if (!tryWrite(path)) takeOver(path, clear)
  let isLate = false
  return {
    release() {
      // A person may have removed it since, and another process has the file.
      if (isLate && readMark(path)?.pid !== process.pid) return
      isLate = true
      remove(path)
    },
  }
}

/** True when a process has it, as far as can be told from here, and when in doubt. */
export function isOwned(file: string): boolean {
  const path = `${file}${OWNER}`
  try {
    const owner = readMark(path)
    return owner === undefined ? existsSync(path) && ageOf(path) < WRITING_MS : isRunning(owner)
  } catch {
    return true
  }
}

/** A longer owner file says nothing. */
const MAX_MARK_BYTES = 4096
/** A guard without words may be just being written. */
const STALE_MS = 10_000
/** An owner file without words may be just being written. */
const WRITING_MS = 1000

/** One process at a time clears up after a dead one: its guard, a file as that of an owner, is made only once. */
function takeOver(path: string, clear: (() => void) | undefined): void {
  assertGone(path)
  const guard = `${path}.takeover`
  if (isLeft(guard)) removeLeft(guard)
  if (!tryWrite(guard)) throw new NotOwned(undefined, true)
  try {
    // Another process may have taken it over between the look and the guard.
    assertGone(path)
    clear?.()
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
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return
    throw cause
  }
  if (!isLeft(taken)) tryToLink(taken, guard)
  removeAnyway(taken)
}

function tryToLink(path: string, name: string): void {
  try {
    linkSync(path, name)
  } catch {
    // Yet another one is there.
  }
}

/** False when there is such a file already. */
function tryWrite(path: string): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'EEXIST') return false
    throw cause
  }
  try {
    writeFileSync(file, JSON.stringify(markOf(process.pid)))
    return true
  } catch (cause) {
    // A disk that is full still takes a name.
    removeAnyway(path)
    throw cause
  } finally {
    closeSync(file)
  }
}

/** Undefined when there is none, or none that says anything: its writer was killed in the middle. Throws for what can't be opened. */
function readMark(path: string): ProcessMark | undefined {
  let text: string
  try {
    text = readRegularSync(path, MAX_MARK_BYTES).toString()
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw cause
  }
  try {
    // Databases of earlier versions have `place`.
    const { pid, started, host, place } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return undefined
    return { pid: Number(pid), started: textOf(started), host: textOf(host) ?? textOf(place) }
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ENOENT') throw cause
  }
}

function removeAnyway(path: string): void {
  try {
    remove(path)
  } catch {
    // It counts no more once this process is gone.
  }
}

function ageOf(path: string): number {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  // A clock may have been set back since.
  return modified === undefined ? 0 : Math.abs(Date.now() - modified)
}
