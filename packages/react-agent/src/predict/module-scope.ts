/** The scope of the requests of one prediction or selection, which has no journal. */
import type { ModelScope } from '../loop/scope.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { directSteps } from '../steps/steps.ts'

export function moduleScope(signal: AbortSignal | undefined, modelTimeoutMs: number): ModelScope {
  return { steps: directSteps, signal, deadline: modelDeadline(modelTimeoutMs, signal), emit: () => {} }
}
