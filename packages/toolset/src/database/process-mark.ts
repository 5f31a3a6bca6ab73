/** Tells one process from another, also from a later one that was given the same id. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessMark {
  readonly pid: number
  /** When the process started, in the system's own words; null where the system does not tell. */
  readonly started: string | null
  /** The machine, or the container, whose processes the id counts; null where that is not known. */
  readonly place: string | null
}

export function markOf(pid: number): ProcessMark {
  return { pid, started: startOf(pid), place: placeOf() }
}

/** False for a process of another machine or container: nothing can be said of it from here. */
export function isHere({ place }: ProcessMark): boolean {
  return place === null || place === placeOf()
}

/** True when in doubt: a process elsewhere or of another user, or a system that does not tell when a process started. */
export function isRunning(mark: ProcessMark): boolean {
  if (!isHere(mark)) return true
  const { pid, started } = mark
  try {
    process.kill(pid, 0)
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (!isForbidden) return false
  }
  const now = startOf(pid)
  return started === null || now === null || started === now
}

/** Two containers may have the same host name, and two containers of one host have different namespaces of processes. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** On Linux the 22nd field of the process's status. The name before it may hold blanks and brackets. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
