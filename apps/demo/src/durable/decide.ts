/** Parses the user's decision about a run and sends it to the engine. */
import type { WaitsFor } from '@x/durable'
import type { AskedCall, Decision } from '@x/react-agent'
import type { EditedCall } from '../agent/edited-call.ts'
import { UsageError } from '../failure.ts'
import { readChanges } from '../view/ask-for-yes.ts'
import type { ToCommand } from './command-line.ts'
import { type DemoEngine, type DemoStatus, isOver } from './run-data.ts'

export interface Decided {
  readonly name: string
  readonly decision: Decision
}

/** The options on the command line. Without any of them, the decision is an approval. */
export interface DecisionWords {
  readonly no: boolean
  readonly reason?: string | undefined
  /** The edit, such as `{"amount":80}` or `amount=80`. */
  readonly edit?: string | undefined
}

export interface DecideOptions {
  /** Name of the pending item or of its tool. Default: the only pending item. */
  readonly name?: string | undefined
  readonly words: DecisionWords
  readonly toCommand: ToCommand
  /** Validates edited arguments before the decision is sent. A decision is final, so an invalid one couldn't be corrected. */
  findFault(call: EditedCall): Promise<string | undefined>
}

/** Sends a decision to the engine. If this rejects, with `UsageError` or `DurableError`, nothing was decided. */
export async function decideRun(engine: DemoEngine, run: DemoStatus, options: DecideOptions): Promise<Decided> {
  const found = findWait(run, options)
  const decided = { name: found.name, decision: await toDecision(found, options) }
  await engine.signal(run.id, decided.name, decided.decision)
  return decided
}

/** Returns the call that requires approval. Returns undefined if the run is waiting for something else. */
export function callOf({ about }: WaitsFor): Pick<AskedCall, 'name' | 'args'> | undefined {
  return typeof about === 'object' && about !== null && 'name' in about && 'args' in about ? (about as AskedCall) : undefined
}

/** Finds a pending item by its name, or by the name of its tool if only one call to that tool is pending. */
function findWait(run: DemoStatus, { name, toCommand }: DecideOptions): WaitsFor {
  const { id, waitsFor } = run
  const [first, ...more] = waitsFor
  if (first === undefined) throw nothingWaits(run, toCommand)
  if (name === undefined) {
    if (more.length === 0) return first
    throw new UsageError(`The run "${id}" is waiting for ${waitsFor.length} decisions. Name one of: ${namesOf(run)}.`)
  }
  const byTool = waitsFor.filter((waits) => callOf(waits)?.name === name)
  const found = waitsFor.find((waits) => waits.name === name) ?? (byTool.length === 1 ? byTool[0] : undefined)
  if (found !== undefined) return found
  if (byTool.length > 1)
    throw new UsageError(`The run "${id}" is waiting for decisions on several calls to ${name}. Name one of: ${namesOf(run)}.`)
  throw new UsageError(`The run "${id}" isn't waiting for "${name}". It is waiting for ${namesOf(run)}.`)
}

/**
 * Returns the error for a run without pending decisions. It mentions both possible causes: the run hasn't requested a decision yet, or
 * all of its calls have been decided. The two can't be told apart.
 */
function nothingWaits({ id, state }: DemoStatus, toCommand: ToCommand): UsageError {
  if (isOver({ state })) return new UsageError(`The run "${id}" has ended (${state}). No decision is possible.`)
  const why =
    "Its calls have already been decided, or it hasn't requested a decision yet. When it is resumed, it requests any further decisions."
  const next = `Its state is "${state}". To resume it: ${toCommand(`runs resume ${id}`)}`
  return new UsageError(`The run "${id}" isn't waiting for a decision. ${why} ${next}`)
}

function namesOf({ waitsFor }: DemoStatus): string {
  return waitsFor.map(({ name }) => `"${name}"`).join(', ')
}

async function toDecision(waits: WaitsFor, { words: { no, reason, edit }, findFault }: DecideOptions): Promise<Decision> {
  if (no) return { type: 'reject', ...(reason === undefined ? {} : { reason }) }
  if (edit === undefined) return { type: 'approve' }
  const call = callOf(waits)
  if (call === undefined) throw new UsageError(`There is nothing to edit: "${waits.name}" isn't a pending call.`)
  const changes = readChanges(edit)
  if (changes === undefined) throw new UsageError(`--edit needs arguments as JSON, e.g. '{"amount":80}', not "${edit}".`)
  const args = { ...call.args, ...changes }
  const fault = await findFault({ name: call.name, args })
  if (fault !== undefined) throw new UsageError(fault)
  return { type: 'edit', args }
}
