/** Reads what somebody decided about a run, and tells its engine. */
import type { WaitsFor } from '@x/durable'
import type { AskedCall, Decision } from '@x/react-agent'
import type { EditedCall } from '../agent/edited-call.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { readChanges } from '../view/ask-for-yes.ts'
import type { ToCommand } from './command-line.ts'
import { type DemoEngine, type DemoStatus, isOver } from './run-data.ts'
import type { DecisionWords } from './runs-action.ts'

export interface Decided {
  readonly name: string
  readonly decision: Decision
}

export interface DecideOptions {
  /** Of what is decided, or of the tool; unless told it is the one thing that the run waits for. */
  readonly name?: string | undefined
  readonly words: DecisionWords
  readonly toCommand: ToCommand
  /** Says what is wrong with other arguments: what is decided stays, also where it can never work. */
  findFault(call: EditedCall): Promise<string | undefined>
}

/** Rejects with `UsageError` or `DurableError`, and then decides nothing. */
export async function decideRun(engine: DemoEngine, run: DemoStatus, options: DecideOptions): Promise<Decided> {
  const found = findWait(run, options)
  const decided = { name: found.name, decision: await toDecision(found, options) }
  await engine.signal(run.id, decided.name, decided.decision)
  return decided
}

/** What an agent says of a call that needs a yes. */
export function callOf({ about }: WaitsFor): Pick<AskedCall, 'name' | 'args'> | undefined {
  return typeof about === 'object' && about !== null && 'name' in about && 'args' in about ? (about as AskedCall) : undefined
}

/** By its name, or by the name of the tool where one call of it waits. */
function findWait(run: DemoStatus, { name, toCommand }: DecideOptions): WaitsFor {
  const { id, waitsFor } = run
  const [first, ...more] = waitsFor
  if (first === undefined) throw nothingWaits(run, toCommand)
  if (name === undefined) {
    if (more.length === 0) return first
    throw new UsageError(`The run "${id}" waits for ${waitsFor.length} things. Say for which: ${namesOf(run)}.`)
  }
  const byTool = waitsFor.filter((waits) => callOf(waits)?.name === name)
  const found = waitsFor.find((waits) => waits.name === name) ?? (byTool.length === 1 ? byTool[0] : undefined)
  if (found !== undefined) return found
  if (byTool.length > 1)
    throw new UsageError(`The run "${id}" waits for several calls of ${name}. Say for which: ${namesOf(run)}.`)
  throw new UsageError(`The run "${id}" does not wait for "${name}", but for ${namesOf(run)}.`)
}

/** Why is not known from outside: a run that has not asked yet looks the same, and so may one of whose calls only some were decided. */
function nothingWaits({ id, state }: DemoStatus, toCommand: ToCommand): UsageError {
  if (isOver({ state })) return new UsageError(`The run "${id}" is over (${state}): nothing can be decided about it any more.`)
  const why = 'It was decided about before, or has not asked yet; what else it needs it asks when it goes on.'
  const next = `It is ${state}, and goes on by: ${toCommand(`runs resume ${id}`)}`
  return new UsageError(`The run "${id}" waits for nothing. ${why} ${next}`)
}

function namesOf({ waitsFor }: DemoStatus): string {
  return waitsFor.map(({ name }) => `"${name}"`).join(', ')
}

async function toDecision(waits: WaitsFor, { words: { no, reason, edit }, findFault }: DecideOptions): Promise<Decision> {
  if (no) return { type: 'reject', ...(reason === undefined ? {} : { reason }) }
  if (edit === undefined) return { type: 'approve' }
  const call = callOf(waits)
  if (call === undefined) throw new UsageError(`There is nothing to edit: no call waits as "${waits.name}".`)
  const changes = readChanges(edit)
  if (changes === undefined) throw new UsageError(`--edit needs arguments as JSON, e.g. '{"amount":80}', not "${edit}".`)
  const args = { ...call.args, ...changes }
  const fault = await findFault({ name: call.name, args })
  if (fault !== undefined) throw new UsageError(fault)
  return { type: 'edit', args }
}
