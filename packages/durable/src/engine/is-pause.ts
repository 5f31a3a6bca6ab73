/** Determines from the function's error whether a run is waiting, doesn't fit the program, or has failed. */

/** Returns true for `NotDecided`, for an agent's `approval_required`, and for any error that has one of them as a cause. */
export function isPause(error: unknown): boolean {
  return hasCode(error, PAUSES)
}

/** Returns true for an error which means that the run's records don't fit the program, and for any error that has one as a cause. */
export function isMisfit(error: unknown): boolean {
  return hasCode(error, MISFITS)
}

const PAUSES: ReadonlySet<unknown> = new Set(['not_decided', 'approval_required'])
const MISFITS: ReadonlySet<unknown> = new Set(['agent_changed', 'steps_mismatch'])

function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  try {
    let at = error
    for (let depth = 0; depth < MOST_CAUSES && typeof at === 'object' && at !== null; depth++) {
      const { code, cause } = at as { readonly code?: unknown; readonly cause?: unknown }
      if (codes.has(code)) return true
      at = cause
    }
  } catch {
    // An error with getters that throw has no code.
  }
  return false
}

/** Maximum depth of the search, because a chain of causes may be circular. */
const MOST_CAUSES = 16
