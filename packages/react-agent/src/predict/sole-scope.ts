/** The scope of a module that asks a model and runs nothing. */

import type { RunScope } from '../loop/scope.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { directSteps } from '../steps/steps.ts'

export function soleScope(signal: AbortSignal | undefined, modelTimeoutMs: number): RunScope {
  const deadline = modelDeadline(modelTimeoutMs, signal)
  return { id: '', token: '', values: {}, steps: directSteps, signal, deadline, emit: () => {} }
}
