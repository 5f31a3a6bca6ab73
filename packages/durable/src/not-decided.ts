/** What `wait` of a run rejects with while nothing was decided. */

/** The run pauses, and goes on when its engine has got the decision. An agent knows it by its code. */
export class NotDecided extends Error {
  readonly code = 'not_decided'
  /** What was waited for. */
  readonly key: string

  constructor(key: string) {
    super(`Nothing has been decided about ${JSON.stringify(key)} yet.`)
    this.key = key
  }

  override get name(): 'NotDecided' {
    return 'NotDecided'
  }
}

/** True when a run rejected since it waits: an agent says `approval_required`, and so does whoever wraps that as a cause. */
export function isPause(error: unknown): boolean {
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
