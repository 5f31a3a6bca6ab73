/** One call that may run: journalled, as it was decided, and what the model reads of it. */
import type { Usage } from '@x/adapters'
import { type CallOptions, dispatch, isTool, isToolError, type ToolCall, type ToolResult, validate } from '@x/tool-core'
import type { Decision } from './approval/decision.ts'
import { digestOf } from './approval/digest.ts'
import { type Gate, toPending } from './approval/gate.ts'
import { runWithIntent, toUnknown } from './intent.ts'
import { isModelUsage } from './model-usage.ts'
import { observe, observeError } from './observe.ts'
import type { CallOutcome } from './outcome.ts'
import { READ_RESULT } from './policies/large-results.ts'
import { sumOf } from './policies/spending.ts'
import type { CallScope } from './scope.ts'

type Decided = Extract<Gate, { type: 'decided' }>

/** Rejects with what `steps` rejects with. A call that was aborted has no result, and is not journalled as one. */
export async function executeCall(call: ToolCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { id, steps, token, tools, emit, step, signal, unknownCalls } = scope
  const decision = gate?.decision
  if (decision?.type === 'reject') return { ...error(call, rejectedWords(decision), 'rejected'), isRejected: true }
  if (decision?.type === 'result') return takeResult(call, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  emit({ type: 'call_started', step, call: executed })
  const idempotencyKey = `${id}/${call.id}`
  const tool = tools.get(call.name)
  let isStarted = false
  const execute = () => {
    isStarted = true
    return dispatchOnce(executed, idempotencyKey, scope, gate)
  }
  let outcome: CallOutcome
  try {
    outcome = await runWithIntent(executed, tool, { steps, token, idempotencyKey }, execute)
  } catch (cause) {
    // It may have been carried out, and no record of it is kept.
    const isUnknown = isStarted && tool !== undefined && tool.effect !== 'read'
    if (isUnknown) unknownCalls.push(toUnknown(executed, idempotencyKey))
    if (!isAborted(cause, signal)) throw cause
    return error(call, `"${call.name}" was aborted by the caller.`, 'aborted')
  }
  if (outcome.unknown !== undefined) unknownCalls.push(outcome.unknown)
  if (decision?.type !== 'edit') return outcome
  const words = `The call was made with other arguments, as somebody decided: ${JSON.stringify(decision.args)}\n`
  return { ...outcome, observation: { ...outcome.observation, text: words + outcome.observation.text } }
}

function isAborted(cause: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (isToolError(cause) && cause.code === 'aborted')
}

async function dispatchOnce(
  call: ToolCall,
  idempotencyKey: string,
  scope: CallScope,
  gate: Decided | undefined,
): Promise<CallOutcome> {
  const { tools, endingTools, values, step, signal, emit } = scope
  let usage: Usage | undefined
  const options: CallOptions = {
    idempotencyKey,
    signal,
    values,
    progress: (update) => {
      if (isModelUsage(update)) usage = sumOf(usage ?? {}, update.usage)
      emit({ type: 'call_progress', step, callId: call.id, update })
    },
    approve: approverOf(call, scope, gate),
  }
  const result = await dispatch(tools, call, options)
  if (!result.ok && result.error.code === 'aborted') throw result.error
  const outcome = toOutcome(result, scope, endingTools.has(call.name))
  return usage === undefined ? outcome : { ...outcome, usage }
}

/** Calls that the tool makes itself are asked for on the spot, where somebody can be asked: the run cannot pause inside a call. */
function approverOf(call: ToolCall, { tools, approve }: CallScope, gate: Decided | undefined): CallOptions['approve'] {
  return async ({ callId, name, args }) => {
    const tool = tools.get(name)
    if (gate !== undefined && callId === call.id && name === call.name && isTool(tool)) {
      // Whoever edited the arguments has seen them; a yes is one to what was shown.
      return gate.decision.type === 'edit' || (await toPending(callId, tool, args)).digest === gate.call.digest
    }
    if (approve === undefined) return false
    const answer = await approve({ callId, name, args, needs: 'approval', digest: await digestOf({ tool: name, args }) })
    return answer === true || (typeof answer === 'object' && answer.type === 'approve')
  }
}

function toOutcome(result: ToolResult, { results }: CallScope, isEnding: boolean): CallOutcome {
  const observation = observe(result)
  if (isEnding) return result.ok ? { observation, output: result.output } : { observation }
  // What reads on in a long result is as long as may be.
  if (observation.name === READ_RESULT) return { observation }
  const { text, whole } = results.cut(observation.callId, observation.text)
  return whole === undefined ? { observation } : { observation: { ...observation, text }, whole }
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
