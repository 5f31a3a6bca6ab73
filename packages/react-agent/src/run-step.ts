/** A step whose own failure is told from that of the engine. */
import { AgentError } from './errors.ts'
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
    if (caller?.aborted || (failure !== undefined && failure.cause === cause)) throw cause
    throw stepsFailed(cause)
  }
}

export function stepsFailed(cause: unknown): AgentError {
  const words = cause instanceof Error ? cause.message : String(cause)
  return new AgentError('steps_failed', `A step of the run failed: ${words}`, { cause })
}
