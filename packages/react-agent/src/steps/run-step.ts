/** A step whose own failure is told from that of the engine. */
import { AgentError } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import { wasRecorded } from './recorded-failure.ts'
import { directSteps, type Steps } from './steps.ts'

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

/** Rejects with the reason of the signal as soon as it fires; nothing is begun after that. What the engine says later is dropped. */
export function heldSteps(steps: Steps, signal: AbortSignal | undefined): Steps {
  // A call and a request listen to the signal themselves.
  if (steps === directSteps || signal === undefined) return steps
  return {
    run: async (key, execute) => {
      signal.throwIfAborted()
      return await untilAborted(steps.run(key, execute), signal)
    },
    wait: async (key, about) => {
      signal.throwIfAborted()
      return await untilAborted(steps.wait(key, about), signal)
    },
  }
}
