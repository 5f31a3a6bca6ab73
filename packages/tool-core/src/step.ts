/** What a composition of actions needs of its steps: running one, and what all of them ask for together. */
import type { TObject } from 'typebox'
import type { Action } from './action.ts'
import type { CallOptions, ToolContext } from './context.ts'
import { isToolError, ToolError } from './errors.ts'
import { runPipeline } from './pipeline.ts'
import type { Effect, ToolTraits } from './traits.ts'

export interface Step {
  readonly action: Action
  /** Position or key: part of the step's own idempotency key. */
  readonly place: string | number
}

/**
 * Runs one step through its own hooks and checks. Two steps are two effects, so each has an idempotency key of its own: a
 * service that remembers keys must not take the second for a repetition of the first. Rejects with what the step rejects with.
 */
export async function runStep(
  { action, place }: Step,
  args: object,
  context: ToolContext,
  signal: AbortSignal = context.signal,
): Promise<object> {
  const { callId, values, progress } = context
  const idempotencyKey = context.idempotencyKey && `${context.idempotencyKey}/${place}`
  // The whole was approved before it started: a step that is refused in the middle would leave half of it done.
  const options: CallOptions = { callId, idempotencyKey, signal, values, progress, approve: () => true }
  return (await runPipeline(action, args, options)).output as object
}

/** Why a composition stopped. What one of its own steps was given is no mistake of the model. */
export function stoppedAt(composition: string, { action }: Step, cause: unknown, rest = ''): ToolError {
  const { code, message, issues, reason } = isToolError(cause) ? cause : new ToolError('execution_failed', String(cause))
  const ownFault = code === 'invalid_arguments' ? 'execution_failed' : code
  const words = rest === '' ? message : `${message.replace(/\.?$/, '.')} ${rest}`
  return new ToolError(ownFault, `"${composition}" stopped at step "${action.name}": ${words}`, {
    cause,
    issues,
    reason,
  })
}

/** What the steps ask of the one who calls the whole: all that any of them asks. */
export function demandsOf(actions: readonly Action[]): ToolTraits & { context: TObject | undefined } {
  return {
    context: contextOf(actions),
    effect: effectOf(actions),
    needsApproval: actions.some((action) => action.needsApproval) || undefined,
    timeoutMs: Infinity, // each step keeps its own deadline
  }
}

/** So that a missing value is found before the first step has had its effect. */
function contextOf(actions: readonly Action[]): TObject | undefined {
  const contexts = actions.flatMap(({ context }) => context ?? [])
  return contexts.length < 2 ? contexts[0] : ({ type: 'object', allOf: contexts } as unknown as TObject)
}

const GRAVEST_FIRST: readonly (Effect | undefined)[] = ['destructive', 'write', undefined, 'idempotent', 'read']

function effectOf(actions: readonly Action[]): Effect | undefined {
  return GRAVEST_FIRST[Math.min(...actions.map(({ effect }) => GRAVEST_FIRST.indexOf(effect)))]
}
