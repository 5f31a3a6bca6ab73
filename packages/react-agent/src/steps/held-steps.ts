/** Steps of a run that somebody may give up on: an engine that does not answer holds nobody up. */

import { untilAborted } from '../until-aborted.ts'
import { directSteps, type Steps } from './steps.ts'

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
