/** Reads what somebody decided about a run, and tells its engine. */
import type { WaitsFor } from '@x/durable'
import type { AskedCall, Decision } from '@x/react-agent'
import { UsageError } from '../usage-error.ts'
import { readChanges } from '../view/ask-for-yes.ts'
import { type DemoEngine, type DemoStatus, isOver } from './run-data.ts'
import type { DecisionWords } from './runs-action.ts'

export interface Decided {
  readonly name: string
  readonly decision: Decision
}

/** Without a name it is about the one thing that the run waits for. Rejects with `UsageError` or `DurableError`, and then decides nothing. */
export async function decideRun(
  engine: DemoEngine,
  run: DemoStatus,
  name: string | undefined,
  words: DecisionWords,
): Promise<Decided> {
  const found = name === undefined ? soleWait(run) : findWait(run, name)
  const decided = { name: found.name, decision: toDecision(words, found) }
  await engine.signal(run.id, decided.name, decided.decision)
  return decided
}

/** What an agent says of a call that needs a yes. */
export function callOf({ about }: WaitsFor): Pick<AskedCall, 'name' | 'args'> | undefined {
  return typeof about === 'object' && about !== null && 'name' in about && 'args' in about ? (about as AskedCall) : undefined
}

function soleWait(run: DemoStatus): WaitsFor {
  const [first, ...more] = run.waitsFor
  if (first === undefined) throw nothingWaits(run)
  if (more.length === 0) return first
  throw new UsageError(`The run "${run.id}" waits for ${run.waitsFor.length} things. Say for which: ${namesOf(run)}.`)
}

/** By its name, or by the name of the tool where one call of it waits. */
function findWait(run: DemoStatus, name: string): WaitsFor {
  const { waitsFor } = run
  const byTool = waitsFor.filter((waits) => callOf(waits)?.name === name)
  const found = waitsFor.find((waits) => waits.name === name) ?? (byTool.length === 1 ? byTool[0] : undefined)
  if (found !== undefined) return found
  if (byTool.length > 1)
    throw new UsageError(`The run "${run.id}" waits for several calls of ${name}. Say for which: ${namesOf(run)}.`)
  // It may have been decided already: the engine knows.
  if (waitsFor.length === 0 && !isOver(run)) return { name }
  if (waitsFor.length === 0) throw nothingWaits(run)
  throw new UsageError(`The run "${run.id}" does not wait for "${name}", but for ${namesOf(run)}.`)
}

function nothingWaits({ id, state }: DemoStatus): UsageError {
  const words = isOver({ state })
    ? `is over (${state}): nothing can be decided about it any more.`
    : `waits for nothing: it is ${state}, and goes on by "runs resume ${id}".`
  return new UsageError(`The run "${id}" ${words}`)
}

function namesOf({ waitsFor }: DemoStatus): string {
  return waitsFor.map(({ name }) => `"${name}"`).join(', ')
}

function toDecision({ no, reason, edit }: DecisionWords, waits: WaitsFor): Decision {
  if (no) return { type: 'reject', ...(reason === undefined ? {} : { reason }) }
  if (edit === undefined) return { type: 'approve' }
  const call = callOf(waits)
  if (call === undefined) throw new UsageError(`There is nothing to edit: no call waits as "${waits.name}".`)
  const changes = readChanges(edit)
  if (changes === undefined) throw new UsageError(`--edit needs arguments as JSON, e.g. '{"amount":80}', not "${edit}".`)
  return { type: 'edit', args: { ...call.args, ...changes } }
}
