/** Tells a run that waits from one that failed, by what its function rejected with. */

/** True for `NotDecided`, for an agent's `approval_required`, and for whatever has one of them as a cause. */
export function isPause(error: unknown): boolean {
  try {
    return hasPause(error)
  } catch {
    // Of an error whose properties throw when they are read, nothing is known.
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

/** Of errors that name each other. */
const MOST_CAUSES = 16
