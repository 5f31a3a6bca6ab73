/** Determines from a function's error whether the run waits, is held, is left to another worker, or has failed. */

/** Returns true for `NotDecided` and for an agent's `approval_required`, also as a cause of another error. */
export function isPause(error: unknown): boolean {
  return hasCause(error, ({ code }) => PAUSES.has(code))
}

/**
 * Returns true for an error that doesn't end the run, because its records don't fit the program, or because the program couldn't be loaded.
 * Also as a cause of another error.
 */
export function isMisfit(error: unknown): boolean {
  return hasCause(error, ({ code }) => MISFITS.has(code)) || isNotLoaded(error)
}

/**
 * Returns true if the file of a module couldn't be opened because the process has no free file descriptors, also as a cause of another error.
 * Another worker can execute the run, and so can this one later.
 */
export function isNotLoaded(error: unknown): boolean {
  return hasCause(error, ({ code, path }) => (code === 'EMFILE' || code === 'ENFILE') && MODULE.test(String(path)))
}

const MODULE = /\.([cm]?[jt]sx?|node|wasm)$/

const PAUSES: ReadonlySet<unknown> = new Set(['not_decided', 'approval_required'])
const MISFITS: ReadonlySet<unknown> = new Set(['agent_changed', 'steps_mismatch'])

interface Cause {
  readonly code?: unknown
  readonly path?: unknown
  readonly cause?: unknown
}

function hasCause(error: unknown, matches: (cause: Cause) => boolean): boolean {
  try {
    let at = error
    for (let depth = 0; depth < MOST_CAUSES && typeof at === 'object' && at !== null; depth++) {
      if (matches(at)) return true
      at = (at as Cause).cause
    }
  } catch {
    // Treats an error whose getters throw as an error without a code.
  }
  return false
}

/** Maximum number of causes to follow, because a chain of causes may be circular. */
const MOST_CAUSES = 16
