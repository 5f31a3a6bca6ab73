/** Checks the records that an engine returns, because a journal may have been changed since it was written. */
import { isRecordOf } from '../approval/paused-parts.ts'
import { AgentError } from '../errors.ts'
import { isRecord } from '../json.ts'
import { toThrown } from './recorded-failure.ts'
import { directSteps, type Steps, together } from './steps.ts'

/**
 * Wraps the steps. A recorded `AgentError` is rethrown as an `AgentError`. A record that can't belong to its step rejects with
 * `steps_mismatch`.
 */
export function checkedSteps(steps: Steps): Steps {
  if (steps === directSteps) return steps
  return {
    run: async (key, execute) => {
      let isExecuted = false
      const run = async () => {
        isExecuted = true
        return withKey(await execute(), key)
      }
      const value = await steps.run(key, run).catch((cause: unknown) => {
        throw toThrown(cause)
      })
      if (!isExecuted && !isSound(key, value)) throw changed(key)
      return withoutKey(value)
    },
    wait: (key, about) => steps.wait(key, about),
    together: (keys, work) => together(steps, keys, work),
  }
}

/** Adds the key of the step, so that swapped records are detected. An outcome already has the id of its call. */
function withKey<T>(value: T, key: string): T {
  return isRecord(value) && !('observation' in value) ? { ...value, step: key } : value
}

function withoutKey<T>(value: T): T {
  if (!isRecord(value) || !('step' in value)) return value
  const { step, ...rest } = value
  return rest as T
}

function isSound(key: string, value: unknown): boolean {
  try {
    return isRecordOf(key, value) && (!isRecord(value) || (value.step ?? key) === key)
  } catch {
    return false
  }
}

function changed(key: string): AgentError {
  return new AgentError(
    'steps_mismatch',
    `The journal's record of the step "${key}" was changed, or belongs to another step. Restore it, or start the run again with a new journal.`,
  )
}
