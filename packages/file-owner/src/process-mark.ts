/** Tells one process from another, also from a later one that was given the same id. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessMark {
  readonly pid: number
  /** When the process started, in the system's own words; null where the system does not tell. */
  readonly started: string | null
  /** The machine, or the container, whose processes the id counts; null where that isn't known. */
  readonly host: string | null
}

export function markOf(pid: number): ProcessMark {
  return { pid, started: statusOf(pid)?.started ?? null, host: hostHere() }
}

/** False for a process of another machine or container: nothing can be said of it from here. */
export function isHere({ host }: ProcessMark): boolean {
  return host === null || host === hostHere()
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
