/** Tells one process from another, also from a later one that was given the same id. */
import { readFileSync } from 'node:fs'

export interface ProcessMark {
  readonly pid: number
  /** When the process started, in the system's own words; null where the system does not tell. */
  readonly started: string | null
}

export function markOf(pid: number): ProcessMark {
  return { pid, started: startOf(pid) }
}

/** True when in doubt: a process of another user, or a system that does not tell when a process started. */
export function isRunning({ pid, started }: ProcessMark): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (!isForbidden) return false
  }
  const now = startOf(pid)
  return started === null || now === null || started === now
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
