/** Which calls of a turn are not run: the same call several times in it, and those that lead nowhere. */
import type { RawToolCall } from '@x/adapters'
import type { ToolMap } from '@x/tool-core'
import { CallMap } from '../policies/call-map.ts'
import { WriteCount } from '../policies/write-count.ts'
import type { CallGuards, Refusal } from './call-guards.ts'

/**
 * The refused calls of a turn, by their ids. Of a tool that says it writes these are all but the first of the same calls; of others, those
 * over `maxRepeats` with no write between them. What was repeated before is run where a call before it in the turn may change its result.
 */
export function refusedCalls(calls: readonly RawToolCall[], tools: ToolMap, guards: CallGuards): ReadonlyMap<string, Refusal> {
  const counts = new CallMap<{ count: number; writes: number }>()
  const written = new WriteCount()
  const refused = new Map<string, Refusal>()
  for (const raw of calls) {
    const effect = tools.get(raw.name)?.effect
    const writes = written.before(effect)
    const entry = counts.of(raw)
    const count = entry.value?.writes === writes ? entry.value.count + 1 : 1
    entry.value = { count, writes }
    const most = effect === 'write' || effect === 'destructive' ? 1 : guards.maxRepeats
    const refusal = count > most ? twin(raw.name, most) : guards.refuse(raw, writes > 0)
    if (refusal === undefined) written.add(effect)
    else refused.set(raw.id, refusal)
  }
  return refused
}

function twin(name: string, most: number): Refusal {
  const times = most === 1 ? '' : ` ${most} times`
  const message = `This very call of "${name}" stands in the same turn before${times}. It was not run again. If it is meant so, call it in another turn.`
  return { reason: 'repeated_call', message }
}
