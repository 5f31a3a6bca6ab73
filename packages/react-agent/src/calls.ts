/** The calls of one turn: run side by side, but for those of tools that say they write; results in call order. */
import type { ToolCall, ToolMap } from '@x/tool-core'
import type { DecidedCall, PendingCall } from './approval/decision.ts'
import { askFor, type Gate, showCall } from './approval/gate.ts'
import { executeCall } from './execute-call.ts'
import { NOT_RUN, observe, observeError } from './observe.ts'
import type { CallOutcome, Outcomes } from './outcome.ts'
import { settleAll } from './policies/limit.ts'
import type { CallScope } from './scope.ts'
import type { TurnCall } from './turn.ts'

export interface TurnOutcome {
  /** In call order; of a turn that waits, those that are there. */
  readonly outcomes: readonly CallOutcome[]
  /** What the run waits for before it can go on. */
  readonly waiting: readonly PendingCall[]
  /** Where it waits: what was decided about others of its calls, whether or not they have run. */
  readonly decided: readonly DecidedCall[]
  /** When it can wait no longer. */
  readonly expiresAt?: string | undefined
}

/**
 * Runs the calls of a turn that have no outcome yet; one that could not be read is answered with its error. When one has to wait, those
 * behind it in order are not started. Rejects only when `steps` fails.
 */
export async function runCalls(calls: readonly TurnCall[], scope: CallScope, finished: Outcomes = NONE): Promise<TurnOutcome> {
  const [only] = calls
  // Most turns make one call that waits for nobody.
  if (only !== undefined && calls.length === 1 && finished.size === 0 && !needsApproval(only, scope.tools))
    return { outcomes: [await runCall(only, scope, undefined)], waiting: [], decided: [] }
  const outcomes = new Map(finished)
  // What cannot be run is answered at once: a turn that is taken up again may read otherwise.
  for (const call of calls)
    if ('error' in call && !outcomes.has(call.raw.id)) outcomes.set(call.raw.id, await runCall(call, scope, undefined))
  const open = calls.filter(({ raw }) => !outcomes.has(raw.id))
  const gates = await askForAll(open, scope)
  const waitingGates = [...gates.values()].filter((gate) => gate.type === 'waiting')
  const waiting = waitingGates.map((gate) => gate.call)
  const [expiresAt] = waitingGates.flatMap((gate) => gate.expiresAt ?? []).sort()
  for (const group of groupByBarrier(open, scope.tools)) {
    const ready = group.filter(({ raw }) => gates.get(raw.id)?.type !== 'waiting')
    const tasks = ready.map((call) => () => runCall(call, scope, gates.get(call.raw.id)))
    const settled = await settleAll(tasks, scope.maxParallelCalls)
    for (const [index, result] of settled.entries()) {
      if (result.status === 'rejected') throw result.reason
      outcomes.set((ready[index] as TurnCall).raw.id, result.value)
    }
    if (ready.length < group.length) break
  }
  const decided = calls.flatMap(({ raw }) => {
    const gate = gates.get(raw.id)
    return gate?.type === 'decided' ? { ...gate.call, decision: gate.decision } : (scope.decisions?.get(raw.id) ?? [])
  })
  if (!scope.signal?.aborted)
    return { outcomes: calls.flatMap(({ raw }) => outcomes.get(raw.id) ?? []), waiting, decided, expiresAt }
  // Nobody waits for a run that was given up.
  return { outcomes: calls.map(({ raw }) => outcomes.get(raw.id) ?? notRun(raw)), waiting: [], decided: [] }
}

/**
 * Of calls that need a yes, all are asked for before any is run. The events tell of all of them before the first is decided, so that
 * whoever watches sees the whole turn; `approve` is asked about one after the other.
 */
async function askForAll(calls: readonly TurnCall[], scope: CallScope): Promise<ReadonlyMap<string, Gate>> {
  const gates = new Map<string, Gate>()
  const shown: PendingCall[] = []
  for (const turnCall of calls) {
    if ('error' in turnCall) continue
    const { call } = turnCall
    const tool = scope.tools.get(call.name)
    if (tool?.needsApproval !== true || scope.guards.refuse(turnCall.raw) !== undefined || scope.signal?.aborted) continue
    const asked = await showCall(call, tool, scope)
    if ('result' in asked) gates.set(call.id, asked)
    else shown.push(asked)
  }
  for (const call of shown) if (!scope.signal?.aborted) gates.set(call.callId, await askFor(call, scope))
  return gates
}

/**
 * A call of a tool that says it writes, or needs a yes, is a group of its own: it waits for the earlier ones, and the later ones for it.
 */
function groupByBarrier(calls: readonly TurnCall[], tools: ToolMap): readonly (readonly TurnCall[])[] {
  const groups: TurnCall[][] = []
  let closed = true
  for (const call of calls) {
    const tool = tools.get(call.raw.name)
    const alone = tool?.effect === 'write' || tool?.effect === 'destructive' || needsApproval(call, tools)
    if (closed || alone) groups.push([call])
    else groups.at(-1)?.push(call)
    closed = alone
  }
  return groups
}

const NONE: Outcomes = new Map()

function needsApproval({ raw }: TurnCall, tools: ToolMap): boolean {
  return tools.get(raw.name)?.needsApproval === true
}

async function runCall(turnCall: TurnCall, scope: CallScope, gate: Gate | undefined): Promise<CallOutcome> {
  const started = performance.now()
  const outcome = 'error' in turnCall ? refuse(turnCall) : await tryCall(turnCall, scope, gate)
  scope.emit({ type: 'call_finished', step: scope.step, observation: outcome.observation, ms: performance.now() - started })
  return outcome
}

function notRun({ id, name }: Pick<ToolCall, 'id' | 'name'>): CallOutcome {
  return { observation: observeError(id, name, NOT_RUN, 'not_run') }
}

type ReadableCall = Extract<TurnCall, { call: unknown }>
type UnreadableCall = Exclude<TurnCall, ReadableCall>

function refuse({ raw, error }: UnreadableCall): CallOutcome {
  return { observation: observeError(raw.id, raw.name, error.message, error.code) }
}

/** Once the caller has given up no call is started. */
async function tryCall({ raw, call }: ReadableCall, scope: CallScope, gate: Gate | undefined): Promise<CallOutcome> {
  const { guards, signal, emit, step } = scope
  if (signal?.aborted) return notRun(call)
  const refusal = scope.endingTools.has(call.name) ? undefined : guards.refuse(raw)
  if (refusal !== undefined) {
    emit({ type: 'call_refused', step, call, reason: refusal.reason })
    return { observation: observeError(call.id, call.name, refusal.message, refusal.reason) }
  }
  if (gate?.type === 'invalid') return scope.steps.run(`call-${call.id}`, async () => ({ observation: observe(gate.result) }))
  return await executeCall(call, scope, gate?.type === 'decided' ? gate : undefined)
}
