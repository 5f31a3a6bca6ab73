/** Refuses calls of a turn that exceed the limit, repeat a call of the same turn, or make no progress. */
import { declaresWrite } from '@x/tool-core'
import type { Outcomes } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall, TurnCall } from '../loop/turn.ts'
import { effectOf } from '../nested/allowed-tools.ts'
import { sameCallInTurn, tooManyCalls } from '../prompts.ts'
import { type Refusal, WriteCount } from './call-guards.ts'
import { callKey } from './call-key.ts'

/**
 * Returns the refused calls of a turn, by call id. Calls that end the task are never refused. If a turn contains identical calls, only the
 * first one runs if its tool declares a write. For other tools, up to `maxRepeats` of them run without a write in between. A call that was
 * repeated in earlier turns runs again if an earlier call of this turn may change its result.
 */
export function refuseCalls(
  calls: readonly TurnCall[],
  finished: Outcomes,
  scope: Pick<CallScope, 'maxCallsPerTurn' | 'guards' | 'tools' | 'searchTool'>,
): ReadonlyMap<string, Refusal> {
  const { maxCallsPerTurn, guards } = scope
  const [only] = calls
  const refused = new Map<string, Refusal>()
  // Fast path: a single call has nothing to be compared with.
  if (calls.length === 1 && only !== undefined) {
    if (only.isEnding || !wasRead(only, finished)) return refused
    const refusal = guards.refuse(only.raw, effectOf(only.tool, scope), false)
    return refusal === undefined ? refused : refused.set(only.raw.id, refusal)
  }
  const counts = new Map<string, { readonly count: number; readonly writes: number }>()
  const written = new WriteCount()
  for (const [index, turnCall] of calls.entries()) {
    const { raw, isEnding } = turnCall
    if (isEnding) continue
    if (index >= maxCallsPerTurn) {
      refused.set(raw.id, { reason: 'too_many_calls', message: tooManyCalls(maxCallsPerTurn) })
      continue
    }
    if (!wasRead(turnCall, finished)) continue
    const effect = effectOf(turnCall.tool, scope)
    const writes = written.before(effect)
    const key = callKey(raw)
    const before = counts.get(key)
    const count = before?.writes === writes ? before.count + 1 : 1
    counts.set(key, { count, writes })
    const isWrite = declaresWrite(effect)
    const most = isWrite ? 1 : guards.maxRepeats
    const refusal: Refusal | undefined =
      count > most
        ? { reason: 'repeated_call', message: sameCallInTurn(raw.name, most, isWrite) }
        : guards.refuse(raw, effect, writes > 0)
    if (refusal === undefined) written.add(effect)
    else refused.set(raw.id, refusal)
  }
  return refused
}

/** Returns false for malformed calls and duplicates. In a resumed turn, a duplicate has its own id, so only its outcome identifies it. */
function wasRead(call: TurnCall, finished: Outcomes): call is ReadCall {
  return 'call' in call && finished.get(call.raw.id)?.observation.code !== 'invalid_tool_call'
}
