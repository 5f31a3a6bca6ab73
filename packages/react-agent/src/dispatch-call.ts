/** One execution of a call: its progress told, its questions asked, and what it came to. */
import type { Usage } from '@x/adapters'
import { type CallOptions, dispatch, isTool, type ToolCall, type ToolFailure, type ToolResult } from '@x/tool-core'
import { digestOf } from './approval/digest.ts'
import { type Gate, toPending } from './approval/gate.ts'
import { isRepeatable, toUnknown } from './intent.ts'
import { isModelUsage } from './model-usage.ts'
import { MAY_BE_DONE, observe, observeError } from './observe.ts'
import type { CallOutcome } from './outcome.ts'
import { READ_RESULT } from './policies/large-results.ts'
import { sumOf } from './policies/spending.ts'
import type { CallScope } from './scope.ts'

export type Decided = Extract<Gate, { type: 'decided' }>

/** Rejects with `aborted` when the caller gives up. */
export async function dispatchCall(
  call: ToolCall,
  idempotencyKey: string,
  scope: CallScope,
  gate: Decided | undefined,
): Promise<CallOutcome> {
  const { tools, endingTools, values, step, signal, emit, spending } = scope
  let usage: Usage | undefined
  const options: CallOptions = {
    idempotencyKey,
    signal,
    values,
    progress: (update) => {
      if (isModelUsage(update)) {
        usage = sumOf(usage ?? {}, update.usage)
        spending?.addOfCall(update.usage)
      }
      emit({ type: 'call_progress', step, callId: call.id, update })
    },
    approve: approverOf(call, scope, gate),
  }
  const result = await dispatch(tools, call, options)
  if (signal?.aborted && !result.ok && result.error.code === 'aborted') throw result.error
  if (isGivenUp(result) && !isRepeatable(tools.get(call.name)?.effect)) {
    const { message, code } = result.error
    const observation = observeError(call.id, call.name, `${message} ${MAY_BE_DONE}`, code)
    return { observation, unknown: toUnknown(call, idempotencyKey), usage }
  }
  const outcome = toOutcome(result, scope, endingTools.has(call.name))
  return usage === undefined ? outcome : { ...outcome, usage }
}

/** A tool that was given up on may go on; one may say so itself, when what it called was. */
function isGivenUp(result: ToolResult): result is ToolFailure {
  return !result.ok && (result.error.code === 'timeout' || result.error.code === 'aborted')
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
    if (typeof answer === 'object' && answer.type === 'edit')
      throw new TypeError('The arguments of such a call cannot be edited.')
    return answer === true || (typeof answer === 'object' && answer.type === 'approve')
  }
}

export function toOutcome(result: ToolResult, { results }: CallScope, isEnding: boolean): CallOutcome {
  const observation = observe(result)
  if (isEnding) return result.ok ? { observation, output: result.output } : { observation }
  // What reads on in a long result is as long as may be.
  if (observation.name === READ_RESULT) return { observation }
  const { text, whole } = results.cut(observation.callId, observation.text)
  return whole === undefined ? { observation } : { observation: { ...observation, text }, whole }
}
