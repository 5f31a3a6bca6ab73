/** The calls of one turn: run side by side, but for those of tools that say they write; results in call order. */
import type { RawToolCall } from '@x/adapters'
import type { ToolCall, ToolMap } from '@x/tool-core'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import { askFor, type Gate, type ShownCall, showCall } from '../approval/gate.ts'
import type { CallOutcome, Outcomes } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { TurnCall } from '../loop/turn.ts'
import { endedEarly, NOT_KEPT, NOT_RUN, observeError, tooManyCalls } from '../observe.ts'
import type { Refusal } from './call-guards.ts'
import { executeCall, Unrecorded } from './execute-call.ts'
import { runAll } from './limit.ts'
import { refusedCalls } from './refused-calls.ts'

export interface TurnOutcome {
  /** In call order; of a turn that waits, those that are there. */
  readonly outcomes: readonly CallOutcome[]
  /** What the run waits for before it can go on. */
  readonly waiting: readonly PendingCall[]
  /** Where it waits: what was decided about others of its calls, whether or not they have run. */
  readonly decided: readonly DecidedCall[]
  /** When it can wait no longer. */
  readonly expiresAt?: string | undefined
  /** Why nobody could be asked about one of them. */
  readonly cause?: unknown
  /** Why the turn ended early: what `steps` rejected with. Each call has an outcome then. */
  readonly failure?: LostCall | undefined
}

/** A call whose step failed. */
interface LostCall {
  readonly lost: CallOutcome
  readonly cause: unknown
}

/**
 * Runs the calls of a turn that have no outcome yet; one that could not be read is answered with its error. When one has to wait, those
 * behind it in order are not started, nor are those behind one whose step failed. Rejects only when asking for approvals does.
 */
export async function runCalls(calls: readonly TurnCall[], scope: CallScope, finished: Outcomes = NONE): Promise<TurnOutcome> {
  const [only] = calls
  if (only === undefined) return { ...NONE_WAITS, outcomes: [] }
  // Most turns make one call that waits for nobody.
  if (calls.length === 1 && finished.size === 0 && !needsApproval(only, scope.tools)) {
    const refused = endsEarly(only, NONE, scope) ?? (isEnding(only, scope) ? undefined : scope.guards.refuse(only.raw))
    const ran = await runCall(only, scope, { refusal: refused })
    return 'lost' in ran ? { ...NONE_WAITS, outcomes: [ran.lost], failure: ran } : { ...NONE_WAITS, outcomes: [ran] }
  }
  const outcomes = new Map(finished)
  // What cannot be run is answered at once: a turn that is taken up again may read otherwise.
  for (const call of calls) if ('error' in call && !outcomes.has(call.raw.id)) outcomes.set(call.raw.id, refuse(call, scope))
  const open = calls.filter(({ raw }) => !outcomes.has(raw.id))
  const others = readable(calls.slice(0, scope.maxCallsPerTurn), finished).filter(({ name }) => !scope.endingTools.has(name))
  const refusals = new Map([...refusedCalls(others, scope.tools, scope.guards), ...overLimit(calls, scope)])
  const gates = await askForAll(
    open.filter(({ raw }) => refusals.get(raw.id) === undefined),
    scope,
  )
  // There is nothing to decide about them, whatever the others wait for.
  for (const call of open.filter(({ raw }) => gates.get(raw.id)?.type === 'invalid')) {
    const ran = await runCall(call, scope, { gate: gates.get(call.raw.id) })
    outcomes.set(call.raw.id, 'lost' in ran ? ran.lost : ran)
    if ('lost' in ran) return { ...NONE_WAITS, outcomes: allOf(calls, outcomes), failure: ran }
  }
  const waitingGates = [...gates.values()].filter((gate) => gate.type === 'waiting')
  const waiting = waitingGates.map((gate) => gate.call)
  const cause = waitingGates.find((gate) => gate.cause !== undefined)?.cause
  const [expiresAt] = waitingGates.flatMap((gate) => gate.expiresAt ?? []).sort()
  const left = open.filter(({ raw }) => !outcomes.has(raw.id))
  for (const group of groupByBarrier(left, scope)) {
    const ready = group.filter(({ raw }) => gates.get(raw.id)?.type !== 'waiting')
    const task = (call: TurnCall) => () =>
      runCall(call, scope, {
        gate: gates.get(call.raw.id),
        refusal: endsEarly(call, outcomes, scope) ?? refusals.get(call.raw.id),
      })
    const ran = await runAll(ready.map(task), scope.maxParallelCalls)
    for (const [index, call] of ready.entries()) {
      const outcome = ran[index] as CallOutcome | LostCall
      outcomes.set(call.raw.id, 'lost' in outcome ? outcome.lost : outcome)
    }
    const failure = ran.find((outcome) => 'lost' in outcome)
    if (failure !== undefined) return { ...NONE_WAITS, outcomes: allOf(calls, outcomes), failure }
    if (ready.length < group.length) break
  }
  const decided = calls.flatMap(({ raw }) => {
    const gate = gates.get(raw.id)
    return gate?.type === 'decided' ? gate.call : (scope.decisions?.get(raw.id) ?? [])
  })
  if (!scope.signal?.aborted)
    return { outcomes: calls.flatMap(({ raw }) => outcomes.get(raw.id) ?? []), waiting, decided, expiresAt, cause }
  // Nobody waits for a run that was given up.
  return { ...NONE_WAITS, outcomes: allOf(calls, outcomes) }
}

export function allOf(calls: readonly TurnCall[], outcomes: Outcomes): readonly CallOutcome[] {
  return calls.map(({ raw }) => outcomes.get(raw.id) ?? notRun(raw))
}

const NONE_WAITS = { waiting: [], decided: [] }

/** A call that came twice under one id has two in a turn that is taken up again, and reads like any other. */
function readable(calls: readonly TurnCall[], finished: Outcomes): readonly RawToolCall[] {
  const isRead = ({ raw }: TurnCall) => finished.get(raw.id)?.observation.code !== 'invalid_tool_call'
  return calls.flatMap((call) => ('error' in call || !isRead(call) ? [] : [call.raw]))
}

function isEnding({ raw }: TurnCall, { endingTools }: CallScope): boolean {
  return endingTools.has(raw.name)
}

function overLimit(calls: readonly TurnCall[], scope: CallScope): readonly (readonly [id: string, Refusal])[] {
  const { maxCallsPerTurn } = scope
  const refusal: Refusal = { reason: 'too_many_calls', message: tooManyCalls(maxCallsPerTurn) }
  const over = calls.slice(maxCallsPerTurn).filter((call) => !isEnding(call, scope))
  return over.map(({ raw }) => [raw.id, refusal])
}

/**
 * Of calls that need a yes, all are asked for before any is run. The events tell of all of them before the first is decided, so that
 * whoever watches sees the whole turn; `approve` is asked about one after the other.
 */
async function askForAll(calls: readonly TurnCall[], scope: CallScope): Promise<ReadonlyMap<string, Gate>> {
  const gates = new Map<string, Gate>()
  const shown: ShownCall[] = []
  for (const turnCall of calls) {
    if ('error' in turnCall) continue
    const { call } = turnCall
    const tool = scope.tools.get(call.name)
    if (tool?.needsApproval !== true || scope.signal?.aborted) continue
    const asked = await showCall(call, tool, scope)
    if (asked?.type === 'invalid') gates.set(call.id, asked)
    else if (asked !== undefined) shown.push(asked)
  }
  for (const asked of shown) if (!scope.signal?.aborted) gates.set(asked.call.callId, await askFor(asked, scope))
  return gates
}

/**
 * A call of a tool that says it writes, or needs a yes, is a group of its own: it waits for the earlier ones, and the later ones for it.
 * Calls that end the task are the last group.
 */
function groupByBarrier(calls: readonly TurnCall[], { tools, endingTools }: CallScope): readonly (readonly TurnCall[])[] {
  const groups: TurnCall[][] = []
  const ending = calls.filter(({ raw }) => endingTools.has(raw.name))
  let closed = true
  for (const call of calls) {
    if (endingTools.has(call.raw.name)) continue
    const tool = tools.get(call.raw.name)
    const alone = tool?.effect === 'write' || tool?.effect === 'destructive' || needsApproval(call, tools)
    if (closed || alone) groups.push([call])
    else groups.at(-1)?.push(call)
    closed = alone
  }
  return ending.length === 0 ? groups : [...groups, ending]
}

/**
 * Refuses a call that ends the task beside another call that failed: the model wrote its outputs before it saw the error. In the last
 * turn, where only such calls are left, it is run.
 */
function endsEarly({ raw }: TurnCall, outcomes: Outcomes, scope: CallScope): Refusal | undefined {
  const { tools, endingTools, hasUnread } = scope
  if (tools === endingTools || !endingTools.has(raw.name)) return undefined
  const hasFailed = ({ observation: { ok, name } }: CallOutcome) => !ok && !endingTools.has(name)
  if (!hasUnread && ![...outcomes.values()].some(hasFailed)) return undefined
  return { reason: 'other_calls_failed', message: endedEarly(raw.name) }
}

const NONE: Outcomes = new Map()

function needsApproval({ raw }: TurnCall, tools: ToolMap): boolean {
  return tools.get(raw.name)?.needsApproval === true
}

interface Verdict {
  readonly gate?: Gate | undefined
  readonly refusal?: Refusal | undefined
}

/** Never rejects. */
async function runCall(turnCall: TurnCall, scope: CallScope, verdict: Verdict): Promise<CallOutcome | LostCall> {
  if ('error' in turnCall) return refuse(turnCall, scope)
  const started = performance.now()
  try {
    const outcome = await tryCall(turnCall.call, scope, verdict)
    tell(outcome, performance.now() - started, scope)
    return outcome
  } catch (cause) {
    const { id, name } = turnCall.call
    const isRun = cause instanceof Unrecorded
    const lost = { observation: observeError(id, name, isRun ? NOT_KEPT : NOT_RUN, 'steps_failed') }
    tell(lost, performance.now() - started, scope)
    return { lost, cause: isRun ? cause.cause : cause }
  }
}

function refuse({ raw, error }: UnreadableCall, scope: CallScope): CallOutcome {
  const outcome = { observation: observeError(raw.id, raw.name, error.message, error.code) }
  tell(outcome, 0, scope)
  return outcome
}

function tell({ observation }: CallOutcome, ms: number, { emit, step }: CallScope): void {
  emit({ type: 'call_finished', step, observation, ms })
}

type UnreadableCall = Extract<TurnCall, { error: unknown }>

/** Once the caller has given up no call is started. */
async function tryCall(call: ToolCall, scope: CallScope, { gate, refusal }: Verdict): Promise<CallOutcome> {
  const { signal, emit, step } = scope
  if (signal?.aborted) return notRun(call)
  if (refusal !== undefined) {
    emit({ type: 'call_refused', step, call, reason: refusal.reason })
    return { observation: observeError(call.id, call.name, refusal.message, refusal.reason) }
  }
  if (gate?.type === 'invalid') return scope.steps.run(`call-${call.id}`, async () => gate.outcome)
  return await executeCall(call, scope, gate?.type === 'decided' ? gate : undefined)
}

function notRun({ id, name }: Pick<ToolCall, 'id' | 'name'>): CallOutcome {
  return { observation: observeError(id, name, NOT_RUN, 'not_run') }
}
