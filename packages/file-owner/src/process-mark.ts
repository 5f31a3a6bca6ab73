/** Identifies a process, and distinguishes it from a later process with the same id. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessMark {
  readonly pid: number
  /** Start time in the system's own format. Null if the system doesn't provide it. */
  readonly started: string | null
  /** The machine or container to which the process id belongs. Null if it's unknown. */
  readonly host: string | null
}

export function markOf(pid: number): ProcessMark {
  return { pid, started: statusOf(pid)?.started ?? null, host: hostHere() }
}

/** True for a process on this machine and in this container. The state of any other process is unknown. */
export function isHere({ host }: ProcessMark): boolean {
  return host === null || host === hostHere()
}

/** False only if the process has certainly ended. A process on another machine or in another container counts as running. */
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
  // A zombie process remains until its parent waits for it. In a container, that may never happen.
  if (now?.state === 'Z') return false
  return started === null || now === undefined || started === now.started
}

/**
 * Identifies this machine or container. Includes the process namespace, because two containers on one machine may have the same host name.
 */
function hostHere(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/**
 * Reads the state and the start time of a Linux process from the 3rd and 22nd fields of its `stat` file. The name in the 2nd field may
 * contain spaces and brackets.
 */
function statusOf(pid: number): { readonly state: string | undefined; readonly started: string | null } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], started: fields[19] ?? null }
  } catch {
    return undefined
  }
}
