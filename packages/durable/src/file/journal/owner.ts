/** Makes sure that one process at a time has a journal, also after a process was killed. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { DurableError } from '../../errors.ts'
import { readRegularSync } from './regular-file.ts'

/** The end of an owner file's name, behind that of its journal. */
export const OWNER = '.owner'

/** Who has a journal, as its owner file says. */
interface Owner {
  readonly pid: number
  /** The machine, or the container, that counts its processes. */
  readonly host: string
  /** When the process started, in the system's own words; null where it does not tell. A later process may get the same id. */
  readonly started: string | null
}

/**
 * Takes `file` by an owner file beside it; `release` removes that, and throws when it cannot: then it may be called again. The owner file
 * of a process of this host that is gone is taken over. Throws `in_use` with the way out, or `cannot_open`.
 */
export function own(file: string): { release(): void } {
  const path = ownerPath(file)
  if (!tryWrite(path)) takeOver(file, path)
  let isLate = false
  return {
    release() {
      // Somebody may have removed it by hand since, and another process has the journal.
      if (isLate && readOwner(path)?.pid !== process.pid) return
      isLate = true
      remove(path)
    },
  }
}

/** Throws `cannot_open`. */
function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ENOENT') throw cannotOpen(cause)
  }
}

/** One process at a time clears up after a dead one: its guard, a file as that of an owner, is made only once. */
function takeOver(file: string, path: string): void {
  assertGone(file, path)
  const guard = `${path}.takeover`
  if (isLeft(guard)) removeLeft(guard)
  if (!tryWrite(guard)) throw inUse(file, 'another process is just taking it over. Try again')
  try {
    // Another may have taken it over between the look and the guard.
    assertGone(file, path)
    remove(path)
    if (!tryWrite(path)) throw inUse(file, 'another process has just opened it')
  } finally {
    removeAnyway(guard)
  }
}

/** Another process may have removed it since it was looked at, and made its own: that one stays. A rename takes exactly one of them. */
function removeLeft(guard: string): void {
  const taken = `${guard}.${randomUUID()}`
  try {
    renameSync(guard, taken)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return
    throw cannotOpen(cause)
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

function removeAnyway(path: string): void {
  try {
    remove(path)
  } catch {
    // It counts no more once this process is gone.
  }
}

/** True for a guard whose process was killed. One that stands still may go on at any time, and would take away what is another's. */
function isLeft(guard: string): boolean {
  const owner = readOwner(guard)
  return owner === undefined ? ageOf(guard) > STALE_MS : owner.host === hostHere() && !isRunning(owner)
}

/** True when a process has it, as far as can be told from here, and when in doubt. */
export function isOwned(file: string): boolean {
  const path = ownerPath(file)
  try {
    const owner = readOwner(path)
    if (owner === undefined) return existsSync(path) && ageOf(path) < WRITING_MS
    return owner.host !== hostHere() || isRunning(owner)
  } catch {
    return true
  }
}

/** A longer owner file says nothing. */
const MAX_OWNER_BYTES = 4096
/** A guard without words may be just being written. */
const STALE_MS = 10_000
/** An owner file without words may be just being written. */
const WRITING_MS = 1000

function ownerPath(file: string): string {
  return `${file}${OWNER}`
}

/** False when there is an owner file already. */
function tryWrite(path: string): boolean {
  const owner: Owner = { pid: process.pid, host: hostHere(), started: statusOf(process.pid)?.started ?? null }
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'EEXIST') return false
    throw cannotOpen(cause)
  }
  try {
    writeFileSync(file, JSON.stringify(owner))
    return true
  } catch (cause) {
    // A disk that is full still takes a name.
    removeAnyway(path)
    throw cannotOpen(cause)
  } finally {
    closeSync(file)
  }
}

function assertGone(file: string, path: string): void {
  const owner = readOwner(path)
  if (owner === undefined) {
    if (ageOf(path) < WRITING_MS) throw inUse(file, 'another process has just opened it')
    return
  }
  const { pid, host } = owner
  if (host !== hostHere()) {
    const name = basename(path)
    throw inUse(file, `a process of another machine or container has it (${host}). If that is gone, remove "${name}"`)
  }
  if (!isRunning(owner)) return
  const isOwn = pid === process.pid
  throw inUse(file, `${isOwn ? 'this process has it open already' : `the process ${pid} has it open`}. Close it there`)
}

/** Undefined when there is none, or none that says anything: its writer was killed in the middle. Throws `cannot_open`. */
function readOwner(path: string): Owner | undefined {
  const text = readText(path)
  try {
    const { pid, host, started } = JSON.parse(text) as Partial<Record<keyof Owner, unknown>>
    if (!Number.isSafeInteger(pid) || Number(pid) <= 0 || typeof host !== 'string') return undefined
    return { pid: Number(pid), host, started: typeof started === 'string' ? started : null }
  } catch {
    return undefined
  }
}

/** Empty when there is no such file. That it cannot be opened, as when too many are, does not say that nobody has it. */
function readText(path: string): string {
  try {
    return readRegularSync(path, MAX_OWNER_BYTES).toString()
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return ''
    throw cannotOpen(cause)
  }
}

/** True when in doubt. */
function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const isOfAnotherUser = (error as { code?: unknown }).code === 'EPERM'
    if (!isOfAnotherUser) return false
  }
  const now = statusOf(pid)
  // One that has ended stays in the list of processes until its parent looks, which in a container may be never.
  if (now?.state === 'Z') return false
  return started === null || now === undefined || started === now.started
}

/** Two containers may have the same host name, and two containers of one host have different namespaces of processes. */
function hostHere(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Of a Linux process, the 3rd and the 22nd field of its status. The name before them may hold blanks and brackets. */
function statusOf(pid: number): { readonly state: string | undefined; readonly started: string | null } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], started: fields[19] ?? null }
  } catch {
    return undefined
  }
}

function ageOf(path: string): number {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  // A clock may have been set back since.
  return modified === undefined ? 0 : Math.abs(Date.now() - modified)
}

export function cannotOpen(cause: unknown): DurableError {
  // The words of the file system name the whole path.
  const code = (cause as { code?: unknown } | null)?.code
  const fix = code === 'ENOENT' ? ' Its folder is not there: make that first.' : ''
  const words = `The journal cannot be opened (${typeof code === 'string' ? code : 'unknown'}).${fix}`
  return new DurableError('cannot_open', words, { cause })
}

function inUse(file: string, words: string): DurableError {
  return new DurableError('in_use', `The journal "${basename(file)}" is in use: ${words}.`)
}
