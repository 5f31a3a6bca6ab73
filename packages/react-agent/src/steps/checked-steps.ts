/** Checks the records that an engine returns, because a journal may have been changed since it was written. */
import { isRecordOf } from '../approval/paused-parts.ts'
import { AgentError } from '../errors.ts'
import { toThrown } from './recorded-failure.ts'
import { directSteps, type Steps, together } from './steps.ts'

/**
 * Returns the same steps, except that a recorded `AgentError` is rethrown as an `AgentError`, and that a record which can't be of its step
 * rejects with `steps_mismatch`.
 */
export function checkedSteps(steps: Steps): Steps {
  if (steps === directSteps) return steps
  return {
    run: async (key, execute) => {
      let isExecuted = false
      const run = () => {
        isExecuted = true
        return execute()
      }
      const value = await steps.run(key, run).catch((cause: unknown) => {
        throw toThrown(cause)
      })
      if (!isExecuted && !isSound(key, value)) throw changed(key)
      return value
    },
    wait: (key, about) => steps.wait(key, about),
    together: (keys, work) => together(steps, keys, work),
  }
}

function isSound(key: string, value: unknown): boolean {
  try {
    return isRecordOf(key, value)
  } catch {
    return false
  }
}

function changed(key: string): AgentError {
  return new AgentError(
    'steps_mismatch',
    `The journal's record of the step "${key}" was changed, or is of another step. Restore the journal, or start the run again with a new one.`,
  )
}
