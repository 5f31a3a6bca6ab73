/** A step whose own failure is told from that of the engine. */
import { AgentError } from '../errors.ts'
import { wasRecorded } from './recorded-failure.ts'
import type { Steps } from './steps.ts'

/** What `execute` rejects with comes out as it is, and so does whatever comes after an abort; else it is the failure of `steps`. */
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
    // An engine may reject with a copy of it.
    if (failure !== undefined) throw failure.cause
    if (wasRecorded(cause)) throw cause
    throw caller?.aborted ? cause : stepsFailed(cause)
  }
}

const failures = new WeakSet<AgentError>()

/** True for what `runStep` rejects with when `steps` failed; an agent in what was executed may have failed in the same way. */
export function isStepsFailure(error: unknown): error is AgentError {
  return error instanceof AgentError && failures.has(error)
}

export function stepsFailed(cause: unknown): AgentError {
  const words = cause instanceof Error ? cause.message : String(cause)
  const error = new AgentError('steps_failed', `A step of the run failed: ${words}`, { cause })
  failures.add(error)
  return error
}
