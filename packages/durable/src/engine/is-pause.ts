/** Determines from a function's error whether the run waits, is held, or has failed. */

/** Returns true for `NotDecided` and for an agent's `approval_required`, also as a cause of another error. */
export function isPause(error: unknown): boolean {
  return hasCode(error, PAUSES)
}

/** Returns true for an error that means that the run's records don't fit the program, also as a cause of another error. */
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
    // Treats an error whose getters throw as an error without a code.
  }
  return false
}

/** Maximum number of causes to follow, because a chain of causes may be circular. */
const MOST_CAUSES = 16
