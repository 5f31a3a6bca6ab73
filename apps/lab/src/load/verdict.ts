/** Compares what has happened, according to the log, with what an engine promises. */
import type { RunStatus } from '@x/durable'
import { type Line, SERVER } from './log.ts'
import { AMOUNT, EDITED, type Kind, type LoadOutput, MIXED_CALLS } from './scripts.ts'

export type LoadStatus = RunStatus<Kind, LoadOutput>

/** Checks runs of the kind `mixed` whose processes were killed. */
export function checkMixed(ids: readonly string[], statuses: readonly LoadStatus[], lines: readonly Line[]) {
  /** Returns true if a process was killed between a call's intent and its result. */
  const isInterrupted = (own: readonly Line[]) =>
    own.some((intent, index) => {
      if (intent.event !== 'intent') return false
      const from = places.get(intent) ?? 0
      const next = own.slice(index + 1).find(({ event }) => event !== 'effect')
      const to = (next && places.get(next)) ?? lines.length
      return kills.some(({ pid, at }) => at > from && at < to && (pid === intent.pid || pid === SERVER))
    })
  const broken: string[] = []
  const figures = { done: 0, effects: 0, twice: 0, lost: 0, unknown: 0, 'unknown but executed': 0, 'executed again': 0 }
  const byCall = groupBy(lines, ({ run, call }) => `${run} ${call}`)
  const byId = groupBy(statuses, ({ id }) => id)
  const kills = lines.flatMap(({ event, pid }, at) => (event === 'killed' ? [{ pid, at }] : []))
  const places = new Map(lines.map((line, at) => [line, at]))
  for (const id of ids) {
    const [status, ...others] = byId.get(id) ?? []
    if (others.length > 0) broken.push(`${id} is listed ${others.length + 1} times`)
    if (status?.state === 'finished') figures.done++
    else broken.push(`${id} is ${stateOf(status)}`)
    const unknown = status?.output?.unknown ?? []
    for (const call of MIXED_CALLS) {
      const own = byCall.get(`${id} ${call.id}`) ?? []
      const effects = own.filter(({ event }) => event === 'effect').length
      const isUnknown = unknown.includes(call.id)
      figures.effects += effects
      figures.unknown += Number(isUnknown)
      figures['unknown but executed'] += Number(isUnknown && effects > 0)
      if (isRepeated(own)) broken.push(`${id}: ${call.id} was executed again after its result was recorded`)
      if (effects === 0 && !isUnknown) {
        figures.lost++
        broken.push(`${id}: ${call.id} (${call.tool}) was lost`)
      }
      if (effects > 1 && call.tool === 'write') {
        figures.twice++
        broken.push(`${id}: ${call.id} has ${effects} effects`)
      } else if (effects > 1) figures['executed again'] += effects - 1
      if (isUnknown && !isInterrupted(own)) broken.push(`${id}: ${call.id} is unknown, but no process was killed during it`)
    }
  }
  return { figures, broken }
}

/** Returns true if the call was executed after a worker had its recorded result. */
function isRepeated(lines: readonly Line[]): boolean {
  const recorded = lines.findIndex(({ event }) => event === 'recorded')
  return recorded >= 0 && lines.slice(recorded).some(({ event }) => event === 'effect')
}

/** Checks that exactly one decision about each payment was accepted, and that the payment is the decided one. */
export function checkDecided(ids: readonly string[], statuses: readonly LoadStatus[], lines: readonly Line[]) {
  const broken: string[] = []
  const figures = { done: 0, approve: 0, reject: 0, edit: 0, 'refused as late': 0, payments: 0 }
  const byRun = groupBy(lines, ({ run }) => run)
  const byId = new Map(statuses.map((status) => [status.id, status]))
  const paidBy: Readonly<Record<string, string>> = { approve: String(AMOUNT), edit: String(EDITED), reject: '' }
  for (const id of ids) {
    const own = byRun.get(id) ?? []
    const decided = own.filter(({ event }) => event === 'decided').map(({ call }) => call as 'approve' | 'reject' | 'edit')
    const paid = own.filter(({ event }) => event === 'effect').map(({ detail }) => detail)
    const state = byId.get(id)?.state
    figures['refused as late'] += own.filter(({ event }) => event === 'refused').length
    figures.payments += paid.length
    if (state === 'finished') figures.done++
    else broken.push(`${id} is ${stateOf(byId.get(id))}`)
    const [decision, ...others] = decided
    if (decision === undefined || others.length > 0) {
      broken.push(`${id}: ${decided.length} decisions were accepted`)
      continue
    }
    figures[decision]++
    if (paid.join() !== paidBy[decision]) broken.push(`${id}: "${decision}" was decided and "${paid.join()}" paid`)
  }
  return { figures, broken }
}

function stateOf({ state, failure }: Partial<LoadStatus> = {}): string {
  return failure === undefined ? (state ?? 'missing') : `${state} (${failure.code}: ${failure.message})`
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
