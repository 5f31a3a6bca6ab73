/** What a call of a run is given besides its arguments: the same when it is prepared and when it is executed. */
import type { CallOptions, ToolCall } from '@x/tool-core'
import { digestOf } from '../approval/digest.ts'
import type { CallScope } from '../loop/scope.ts'

export function callOptions(call: ToolCall, scope: CallScope, onProgress?: (update: unknown) => void) {
  const { id, values, signal, emit, step } = scope
  return {
    idempotencyKey: `${id}/${call.id}`,
    signal,
    values,
    progress: (update) => {
      onProgress?.(update)
      emit({ type: 'call_progress', step, callId: call.id, update })
    },
    approve: approverOf(scope),
  } satisfies CallOptions
}

/** Calls that the tool makes itself are asked for on the spot, where somebody can be asked: the run cannot pause inside a call. */
function approverOf({ approve }: CallScope): CallOptions['approve'] {
  return async ({ callId, name, args }) => {
    if (approve === undefined) return false
    const answer = await approve({ callId, name, args, needs: 'approval', digest: await digestOf({ tool: name, args }) })
    if (typeof answer === 'object' && answer.type === 'edit')
      throw new TypeError('The arguments of such a call cannot be edited.')
    return answer === true || (typeof answer === 'object' && answer.type === 'approve')
  }
}
