/** The same call several times in one turn: a model that stutters does not pay five times. */
import type { RawToolCall } from '@x/adapters'
import type { ToolMap } from '@x/tool-core'
import type { Refusal } from './call-guards.ts'

/**
 * Which calls of a turn are not run, by their ids: of a tool that says it writes, all but the first of the same calls; of others, those
 * over `maxRepeats`.
 */
export function twinCalls(calls: readonly RawToolCall[], tools: ToolMap, maxRepeats: number): ReadonlyMap<string, Refusal> {
  const counts = new Map<string, number>()
  const refused = new Map<string, Refusal>()
  for (const { id, name, arguments: text } of calls) {
    const key = `${name} ${text}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const effect = tools.get(name)?.effect
    const most = effect === 'write' || effect === 'destructive' ? 1 : maxRepeats
    if (count > most) refused.set(id, { reason: 'repeated_call', message: wordsFor(name, most) })
  }
  return refused
}

function wordsFor(name: string, most: number): string {
  const times = most === 1 ? '' : ` ${most} times`
  return `This very call of "${name}" stands in the same turn before${times}. It was not run again. If it is meant so, call it in another turn.`
}
