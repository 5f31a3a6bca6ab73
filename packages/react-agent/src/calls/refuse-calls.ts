/** Refuses calls of a turn: calls over the limit, identical calls within the turn, and calls that make no progress. */
import type { Outcomes } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall, TurnCall } from '../loop/turn.ts'
import { sameCallInTurn, tooManyCalls } from '../prompts.ts'
import { type CallGuards, type Refusal, WriteCount } from './call-guards.ts'
import { CallMap } from './call-map.ts'

/** The refused calls of a turn, by call id. Calls that end the task are never refused. */
export function refuseCalls(
  calls: readonly TurnCall[],
  finished: Outcomes,
  { maxCallsPerTurn, guards }: Pick<CallScope, 'maxCallsPerTurn' | 'guards'>,
): ReadonlyMap<string, Refusal> {
  const within = calls.slice(0, maxCallsPerTurn).filter((call) => wasRead(call, finished) && !call.isEnding)
  const refused = refuseRepeats(within as ReadCall[], guards)
  const tooMany: Refusal = { reason: 'too_many_calls', message: tooManyCalls(maxCallsPerTurn) }
  for (const { raw, isEnding } of calls.slice(maxCallsPerTurn)) if (!isEnding) refused.set(raw.id, tooMany)
  return refused
}

/**
 * False for malformed calls and duplicates. In a resumed turn a duplicate has its own id, and only its outcome identifies it as a
 * duplicate.
 */
function wasRead(call: TurnCall, finished: Outcomes): boolean {
  return 'call' in call && finished.get(call.raw.id)?.observation.code !== 'invalid_tool_call'
}

/**
 * Refuses identical calls. A tool that declares a write runs once per turn. Other tools run up to `maxRepeats` times without a write in
 * between. A call that was repeated in earlier turns is run if an earlier call of this turn may change its result.
 */
function refuseRepeats(calls: readonly ReadCall[], guards: CallGuards): Map<string, Refusal> {
  const counts = new CallMap<{ count: number; writes: number }>()
  const written = new WriteCount()
  const refused = new Map<string, Refusal>()
  for (const { raw, tool } of calls) {
    const effect = tool?.effect
    const writes = written.before(effect)
    const entry = counts.of(raw)
    const count = entry.value?.writes === writes ? entry.value.count + 1 : 1
    entry.value = { count, writes }
    const most = effect === 'write' || effect === 'destructive' ? 1 : guards.maxRepeats
    const refusal: Refusal | undefined =
      count > most ? { reason: 'repeated_call', message: sameCallInTurn(raw.name, most) } : guards.refuse(raw, effect, writes > 0)
    if (refusal === undefined) written.add(effect)
    else refused.set(raw.id, refusal)
  }
  return refused
}
