/** Determines from the function's error whether a run is waiting or has failed. */

/** Returns true for `NotDecided`, for an agent's `approval_required`, and for any error that has one of them as a cause. */
export function isPause(error: unknown): boolean {
  try {
    return hasPause(error)
  } catch {
    // An error with getters that throw can't be a pause.
    return false
  }
}

function hasPause(error: unknown): boolean {
  let at = error
  for (let depth = 0; depth < MOST_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const { code, cause } = at as { readonly code?: unknown; readonly cause?: unknown }
    if (code === 'not_decided' || code === 'approval_required') return true
    at = cause
  }
  return false
}

/** Maximum depth of the search, because a chain of causes may be circular. */
const MOST_CAUSES = 16
