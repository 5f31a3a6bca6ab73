/** Runs a step, and distinguishes a failure of the step itself from a failure of the engine. */
import { AgentError, wordsOf } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import { wasRecorded } from './recorded-failure.ts'
import { directSteps, type Steps, together } from './steps.ts'

/** Rethrows errors of `execute`, and any error after an abort, unchanged. Other errors become `steps_failed`. */
export async function runStep<T>(
  steps: Steps,
  key: string,
  execute: () => Promise<T>,
  caller: AbortSignal | undefined,
): Promise<T> {
  let failure: { readonly cause: unknown } | undefined
  try {
    return await steps.run(key, () =>
      execute().catch((cause: unknown) => {
        failure = { cause }
        throw cause
      }),
    )
  } catch (cause) {
    // The engine may reject with a copy of the error.
    if (failure !== undefined) throw failure.cause
    if (wasRecorded(cause)) throw cause
    throw caller?.aborted ? cause : stepsFailed(cause)
  }
}

const failures = new WeakSet<AgentError>()

/** Returns true for an error that `stepsFailed` returned. An inner agent may fail with the same code, so the code alone isn't enough. */
export function isStepsFailure(error: unknown): error is AgentError {
  return error instanceof AgentError && failures.has(error)
}

/** Returns a `steps_failed` error, or the given error if its code is `steps_mismatch`. */
export function stepsFailed(cause: unknown): AgentError {
  const isMismatch = cause instanceof AgentError && cause.code === 'steps_mismatch'
  const error = isMismatch
    ? cause
    : new AgentError('steps_failed', `The engine behind \`steps\` failed: ${wordsOf(cause)}`, { cause })
  failures.add(error)
  return error
}

/**
 * Wraps the steps. They reject with the signal's reason as soon as it fires, and no step is started after that. A late result is dropped.
 */
export function heldSteps(steps: Steps, signal: AbortSignal | undefined): Steps {
  // Without an engine, calls and requests handle the signal themselves.
  if (steps === directSteps || signal === undefined) return steps
  const hold = async <T>(start: () => Promise<T>) => {
    signal.throwIfAborted()
    return await untilAborted(start(), signal)
  }
  return {
    run: (key, execute) => hold(() => steps.run(key, execute)),
    wait: (key, about) => hold(() => steps.wait(key, about)),
    together: (keys, work) => together(steps, keys, work),
  }
}
