/** The scope of the requests of one prediction or selection, which has no journal. */
import { assertSignal } from '../check-options.ts'
import type { ModelScope } from '../loop/scope.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { directSteps } from '../steps/steps.ts'

export function moduleScope(owner: string, signal: AbortSignal | undefined, modelTimeoutMs: number): ModelScope {
  assertSignal(owner, signal)
  return { steps: directSteps, signal, deadline: modelDeadline(modelTimeoutMs, signal), emit: () => {} }
}
