/** The scope of a module that asks a model and runs nothing. */
import { modelDeadline } from './policies/model-deadline.ts'
import type { RunScope } from './scope.ts'
import { directSteps } from './steps.ts'

export function soleScope(signal: AbortSignal | undefined, modelTimeoutMs: number): RunScope {
  const deadline = modelDeadline(modelTimeoutMs, signal)
  return { id: '', token: '', values: {}, steps: directSteps, signal, deadline, emit: () => {} }
}
