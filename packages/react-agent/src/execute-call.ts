/** One call that may run: journalled, as it was decided, and what the model reads of it. */
import { type ToolCall, validate } from '@x/tool-core'
import type { Decision } from './approval/decision.ts'
import type { Decided } from './approval/gate.ts'
import { dispatchCall, toOutcome } from './dispatch-call.ts'
import { runWithIntent, toUnknown } from './intent.ts'
import { observeError } from './observe.ts'
import type { CallOutcome } from './outcome.ts'
import type { CallScope } from './scope.ts'

/** What `steps` rejected with when a call had been executed already. */
export class Unrecorded {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** Rejects with what `steps` rejects with, or with `Unrecorded`. A call that was aborted has no result, and is not journalled as one. */
export async function executeCall(call: ToolCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { id, steps, token, tools, emit, step, signal, unknownCalls, spending } = scope
  const decision = gate?.call.decision
  if (decision?.type === 'reject') return { ...error(call, rejectedWords(decision), 'rejected'), isRejected: true }
  if (decision?.type === 'result') return takeResult(call, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  emit({ type: 'call_started', step, call: executed })
  const idempotencyKey = `${id}/${call.id}`
  const tool = tools.get(call.name)
  let isStarted = false
  const execute = () => {
    isStarted = true
    return dispatchCall(executed, scope, gate)
  }
  let outcome: CallOutcome
  try {
    outcome = await runWithIntent(executed, tool, { steps, token, idempotencyKey }, execute)
  } catch (cause) {
    // It may have been carried out, and no record of it is kept.
    const isUnknown = isStarted && tool !== undefined && tool.effect !== 'read'
    if (isUnknown) unknownCalls.push(toUnknown(executed, idempotencyKey))
    if (signal?.aborted) return error(call, `"${call.name}" was aborted by the caller.`, 'aborted')
    throw isStarted ? new Unrecorded(cause) : cause
  }
  // What was used now is counted already.
  if (outcome.usage !== undefined && !isStarted) spending?.addOfCall(outcome.usage)
  if (outcome.unknown !== undefined) unknownCalls.push(outcome.unknown)
  if (decision?.type !== 'edit') return outcome
  const { ok, code, text } = outcome.observation
  // It was not made.
  if (code === 'invalid_arguments' || code === 'approval_required') return outcome
  const words = `The call was made with other arguments, as somebody decided: ${JSON.stringify(decision.args)}`
  return { ...outcome, observation: { ...outcome.observation, text: ok ? `${words}\n${text}` : `${text}\n${words}` } }
}

/** What a client brought is checked as the output of any tool. */
async function takeResult(call: ToolCall, output: unknown, scope: CallScope): Promise<CallOutcome> {
  const schema = scope.tools.get(call.name)?.output
  const issues = schema === undefined ? [] : await validate(schema, output)
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return error(call, `The result that the client gave for "${call.name}" does not fit: ${words}.`, 'invalid_output')
  }
  return toOutcome({ ok: true, call, output: output ?? null, tags: [], outputTags: [] }, scope, false)
}

function rejectedWords({ reason }: Extract<Decision, { type: 'reject' }>): string {
  return `The call was rejected and not run.${reason === undefined || reason === '' ? '' : ` Reason: ${reason}`}`
}

function error(call: ToolCall, message: string, code: string): CallOutcome {
  return { observation: observeError(call.id, call.name, message, code) }
}
