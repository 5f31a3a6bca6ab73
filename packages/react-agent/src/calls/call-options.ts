/** The options of a call, used both to prepare and to execute it. */
import { type CallOptions, digestOf, type InputRounds, type ToolCall, type ToolResult } from '@x/tool-core'
import { isRecord } from '../json.ts'
import type { CallScope } from '../loop/scope.ts'
import { idempotencyKeyOf } from './call-ids.ts'

export function callOptions(call: ToolCall, scope: CallScope, onProgress?: (update: unknown) => void, input?: InputRounds) {
  const { id, values, signal, emit, step } = scope
  return {
    idempotencyKey: idempotencyKeyOf(id, call.id),
    signal,
    values,
    progress: (update) => {
      onProgress?.(update)
      emit({ type: 'call_progress', step, callId: call.id, update })
    },
    approve: approverOf(scope, call.id),
    input,
  } satisfies CallOptions
}

/** Returns true if the run's abort ended the call or its `toModelOutput`. */
export function wasAborted(result: ToolResult, signal: AbortSignal | undefined): boolean | undefined {
  const error = result.ok ? result.modelOutputError : result.error
  return signal?.aborted && error?.code === 'aborted'
}

/**
 * Returns the callback that decides about calls that a tool makes with `callTool`. Undefined without `approve`: such calls are then refused,
 * because the run can't pause inside them.
 */
function approverOf({ approve, signal: ofRun }: CallScope, parentCallId: string): CallOptions['approve'] {
  if (approve === undefined) return undefined
  return async ({ callId, name, args, signal = ofRun }) => {
    const digest = await digestOf({ tool: name, args })
    const answer = await approve({ callId, name, args, needs: 'approval', digest, parentCallId }, signal)
    const decision = isRecord(answer) ? answer.type : undefined
    if (decision === 'edit')
      throw new TypeError(
        `approve: "${name}" was called by a tool, so its arguments cannot be edited. Approve or reject the call.`,
      )
    return answer === true || decision === 'approve'
  }
}
