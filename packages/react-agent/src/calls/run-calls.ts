/** Runs the calls of one turn in parallel, with a barrier around tools that declare a write. Results are in call order. */
import type { Usage } from '@x/adapters'
import { declaresWrite } from '@x/tool-core'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import { assertNotShown, decideCall, type Gate, type ShownCall, showCall } from '../approval/gate.ts'
import type { CallErrorCode, CallOutcome, Outcomes } from '../loop/outcome.ts'
import type { CallScope, TurnCallScope } from '../loop/scope.ts'
import type { MalformedCall, ReadCall, TurnCall } from '../loop/turn.ts'
import { sumOf } from '../model/spending.ts'
import { effectOf } from '../nested/allowed-tools.ts'
import { isWaiting, type WaitingCall } from '../nested/waiting.ts'
import { editedTo, endedEarly, NOT_KEPT, STOPPED, toErrorObservation } from '../prompts.ts'
import type { Refusal } from './call-guards.ts'
import { executeCall } from './execute-call.ts'
import type { CallEnd } from './finished-call.ts'
import { refuseCalls } from './refuse-calls.ts'
import { Unrecorded } from './unrecorded.ts'

export interface TurnOutcome {
  /** Outcomes in call order. If the turn is waiting for decisions, only the outcomes so far. */
  readonly outcomes: readonly CallOutcome[]
  /** Calls that have to be decided before the run can continue. */
  readonly waiting: readonly PendingCall[]
  /** If the turn is waiting, the decisions about its other calls, whether or not those calls have run. */
  readonly decided: readonly DecidedCall[]
  /** When the first of the waiting calls expires, in ISO 8601. */
  readonly expiresAt?: string | undefined
  /** Why `approve` could not decide one of the waiting calls. */
  readonly cause?: unknown
  /** Usage of calls that are waiting for decisions about their inner calls. It is counted again when the run is resumed. */
  readonly openUsage?: Usage | undefined
  /** The error of `steps` that ended the turn early. Every call has an outcome in that case. */
  readonly failure?: LostCall | undefined
}

/** A call whose step failed. */
interface LostCall {
  readonly lost: CallOutcome
  readonly cause: unknown
}

type Ran = CallOutcome | LostCall | WaitingCall

/**
 * Runs the calls of a turn that have no outcome yet. A malformed call is answered with its error. Once a call has to wait or its step
 * fails, later calls aren't started. Rejects only if requesting approvals rejects.
 */
export async function runCalls(
  calls: readonly TurnCall[],
  scope: TurnCallScope,
  finished: Outcomes = NONE,
): Promise<TurnOutcome> {
  const [only] = calls
  if (only === undefined) return { outcomes: [], waiting: [], decided: [] }
  const refusals = refuseCalls(calls, finished, scope)
  // Fast path: most turns make one call that requires no approval.
  if (calls.length === 1 && finished.size === 0 && !needsApproval(only, scope)) {
    const ran = await runCall(only, scope, { refusal: endsEarly(only, calls, NONE, scope) ?? refusals.get(only.raw.id) })
    if (isWaiting(ran)) return { outcomes: [], ...decisionsOf(calls, new Map(), [ran], scope) }
    return 'lost' in ran
      ? { outcomes: [ran.lost], waiting: [], decided: [], failure: ran }
      : { outcomes: [ran], waiting: [], decided: [] }
  }
  const outcomes = new Map(finished)
  // Malformed calls are answered before a pause, because a resumed turn may be parsed differently.
  for (const call of calls) if ('error' in call && !outcomes.has(call.raw.id)) outcomes.set(call.raw.id, refuse(call, scope))
  const open = calls.filter((call): call is ReadCall => 'call' in call && !outcomes.has(call.raw.id))
  const gates = await decideAll(
    open.filter(({ raw }) => !refusals.has(raw.id)),
    scope,
  )
  const inner: WaitingCall[] = []
  const failure =
    (await answerInvalid(open, gates, outcomes, scope)) ??
    (await runGroups(calls, { open, gates, refusals, outcomes, inner }, scope))
  if (failure !== undefined) return { ...NOTHING_WAITS, outcomes: allOf(calls, outcomes, scope), failure }
  // An aborted run doesn't wait for decisions.
  if (scope.signal?.aborted) return { ...NOTHING_WAITS, outcomes: allOf(calls, outcomes, scope) }
  return { outcomes: soFar(calls, outcomes), ...decisionsOf(calls, gates, inner, scope) }
}

function soFar(calls: readonly TurnCall[], outcomes: Outcomes): readonly CallOutcome[] {
  const found: CallOutcome[] = []
  for (const { raw } of calls) {
    const outcome = outcomes.get(raw.id)
    if (outcome !== undefined) found.push(outcome)
  }
  return found
}

/**
 * Returns the outcome of each call in the turn. A call without an outcome is reported as not run, unless it was waiting for decisions about
 * calls that it made itself.
 */
export function allOf(
  calls: readonly TurnCall[],
  outcomes: Outcomes,
  { hasRecords }: Pick<CallScope, 'hasRecords'>,
): readonly CallOutcome[] {
  return calls.map(({ raw }) => outcomes.get(raw.id) ?? notRun(raw, hasRecords(raw.id)))
}

const NONE: Outcomes = new Map()
const NOTHING_WAITS = { waiting: [], decided: [] }

type Gates = ReadonlyMap<string, Gate>

/**
 * Shows all calls that require approval before the first decision, so that the events contain the whole turn. Then gets the decisions one
 * at a time. No call runs before each of these calls is decided or waiting.
 */
async function decideAll(calls: readonly ReadCall[], scope: CallScope): Promise<Gates> {
  const gates = new Map<string, Gate>()
  const shown: ShownCall[] = []
  for (const turnCall of calls) {
    const { call, tool } = turnCall
    if (tool?.needsApproval !== true) assertNotShown(call.id, scope)
    if (tool === undefined || !needsApproval(turnCall, scope) || scope.signal?.aborted) continue
    const result = await showCall(call, tool, scope)
    if (result?.type === 'invalid') gates.set(call.id, result)
    else if (result !== undefined) shown.push(result)
  }
  for (const call of shown) if (!scope.signal?.aborted) gates.set(call.call.callId, await decideCall(call, scope))
  return gates
}

/** Answers calls with invalid arguments, which need no decision, even if other calls are waiting for one. */
async function answerInvalid(
  open: readonly ReadCall[],
  gates: Gates,
  outcomes: Map<string, CallOutcome>,
  scope: CallScope,
): Promise<LostCall | undefined> {
  for (const call of open) {
    const gate = gates.get(call.raw.id)
    if (gate?.type !== 'invalid') continue
    const ran = await runCall(call, scope, { gate })
    if (isWaiting(ran)) continue
    outcomes.set(call.raw.id, 'lost' in ran ? ran.lost : ran)
    if ('lost' in ran) return ran
  }
  return undefined
}

interface OpenCalls {
  readonly open: readonly ReadCall[]
  readonly gates: Gates
  readonly refusals: ReadonlyMap<string, Refusal>
  /** Outcomes by call id. `runGroups` adds to them. */
  readonly outcomes: Map<string, CallOutcome>
  /** The calls that are waiting for decisions about their inner calls. `runGroups` adds to this list. */
  readonly inner: WaitingCall[]
}

/** Runs the groups one after another. Stops after a group if one of its calls has to wait or its step has failed. */
async function runGroups(
  calls: readonly TurnCall[],
  { open, gates, refusals, outcomes, inner }: OpenCalls,
  scope: TurnCallScope,
): Promise<LostCall | undefined> {
  for (const group of groupByBarrier(
    open.filter(({ raw }) => !outcomes.has(raw.id)),
    scope,
  )) {
    const ready = group.filter(({ raw }) => gates.get(raw.id)?.type !== 'waiting')
    const ran = await inParallel(ready, scope, (call) => {
      const refusal = endsEarly(call, calls, outcomes, scope) ?? refusals.get(call.raw.id)
      return runCall(call, scope, { gate: gates.get(call.raw.id), refusal })
    })
    for (const [index, { raw }] of ready.entries()) {
      const outcome = ran[index] as Ran
      if (isWaiting(outcome)) inner.push(outcome)
      else outcomes.set(raw.id, 'lost' in outcome ? outcome.lost : outcome)
    }
    const failure = ran.find((outcome) => 'lost' in outcome)
    if (failure !== undefined) return failure
    if (ready.length < group.length || inner.length > 0) return undefined
  }
  return undefined
}

/**
 * Groups calls that run in parallel. A call to a tool that declares a write or requires approval forms its own group. It waits for the
 * earlier calls, and later calls wait for it. Calls that end the task are the last group.
 */
function groupByBarrier(calls: readonly ReadCall[], scope: CallScope): readonly (readonly ReadCall[])[] {
  const groups: ReadCall[][] = []
  let closed = true
  for (const call of calls) {
    if (call.isEnding) continue
    const alone = declaresWrite(effectOf(call.tool, scope)) || needsApproval(call, scope)
    if (closed || alone) groups.push([call])
    else groups.at(-1)?.push(call)
    closed = alone
  }
  const ending = calls.filter(({ isEnding }) => isEnding)
  return ending.length === 0 ? groups : [...groups, ending]
}

/** Runs at most `maxParallelCalls` calls concurrently. Results are in the order of the calls. `task` must not reject. */
async function inParallel(
  calls: readonly ReadCall[],
  { maxParallelCalls: limit, media }: TurnCallScope,
  task: (call: ReadCall) => Promise<Ran>,
): Promise<readonly Ran[]> {
  if (calls.length <= limit) return Promise.all(calls.map(task))
  const results: Ran[] = []
  const workers: Promise<void>[] = []
  let next = 0
  const work = async () => {
    while (next < calls.length) {
      const index = next++
      results[index] = await task(calls[index] as ReadCall)
    }
    media.checkWaiting()
  }
  media.startNext = () => next < calls.length && workers.push(work()) > 0
  while (workers.length < limit) workers.push(work())
  // The list grows when `startNext` is called.
  for (const worker of workers) await worker
  return results
}

function decisionsOf(
  calls: readonly TurnCall[],
  gates: Gates,
  inner: readonly WaitingCall[],
  scope: CallScope,
): Omit<TurnOutcome, 'outcomes'> {
  const waiting: PendingCall[] = []
  const decided: DecidedCall[] = []
  const ends: string[] = []
  let cause: unknown
  let openUsage: Usage = {}
  for (const gate of gates.values()) {
    if (gate.type !== 'waiting') continue
    waiting.push(gate.call)
    if (gate.expiresAt !== undefined) ends.push(gate.expiresAt)
    cause ??= gate.cause
  }
  for (const { raw } of calls) {
    const gate = gates.get(raw.id)
    const call = gate?.type === 'decided' ? gate.call : scope.decisions?.get(raw.id)
    if (call !== undefined) decided.push(call)
  }
  for (const call of inner) {
    waiting.push(...call.waiting)
    decided.push(...call.decided)
    if (call.expiresAt !== undefined) ends.push(call.expiresAt)
    if (call.usage !== undefined) openUsage = sumOf(openUsage, call.usage)
    cause ??= call.cause
  }
  return { waiting, decided, expiresAt: ends.sort()[0], cause, openUsage }
}

/**
 * Refuses a call that ends the task if another call of the turn failed, because the model wrote its outputs before it saw the error. In the
 * last turn, such a call runs, because no other calls are possible.
 */
function endsEarly(
  { raw, isEnding }: TurnCall,
  calls: readonly TurnCall[],
  outcomes: Outcomes,
  { isLast, hasMalformed }: CallScope,
): Refusal | undefined {
  if (isLast || !isEnding) return undefined
  const hasFailed = (other: TurnCall) => !other.isEnding && outcomes.get(other.raw.id)?.observation.ok === false
  if (!hasMalformed && !calls.some(hasFailed)) return undefined
  return { reason: 'other_calls_failed', message: endedEarly(raw.name) }
}

/** Returns true if the call requires approval. Uses the value recorded with the model's reply, because the tool may have changed since. */
function needsApproval(call: TurnCall, { recorded }: CallScope): boolean {
  if ('error' in call || call.tool === undefined) return false
  return recorded?.approvals?.includes(call.call.name) ?? call.tool.needsApproval === true
}

interface Verdict {
  readonly gate?: Gate | undefined
  readonly refusal?: Refusal | undefined
}

/** Runs one call. Never rejects. */
async function runCall(turnCall: TurnCall, scope: CallScope, verdict: Verdict): Promise<Ran> {
  if ('error' in turnCall) return refuse(turnCall, scope)
  const started = performance.now()
  try {
    const outcome = await tryCall(turnCall, scope, verdict)
    if (isWaiting(outcome)) return outcome
    const decided = verdict.gate?.type === 'decided' ? verdict.gate.call : undefined
    const shown = decided?.decision.type === 'edit' ? withEdit(outcome, decided.decision.args) : outcome
    emitFinished({ turnCall, outcome, observation: shown.observation, decided, ms: performance.now() - started }, scope)
    return shown
  } catch (cause) {
    const { call } = turnCall
    const isRun = cause instanceof Unrecorded
    const lost = notRun(call, isRun || scope.hasRecords(call.id), 'steps_failed')
    emitFinished({ turnCall, outcome: lost, observation: lost.observation, ms: performance.now() - started }, scope)
    return { lost, cause: isRun ? cause.cause : cause }
  }
}

/** Runs one call, unless the caller has aborted. Returns a promise only if it has to wait. */
function tryCall(
  turnCall: ReadCall,
  scope: CallScope,
  { gate, refusal }: Verdict,
): CallOutcome | Promise<CallOutcome | WaitingCall> {
  const { signal, emit, step, steps } = scope
  const { call } = turnCall
  if (signal?.aborted) return notRun(call, scope.hasRecords(call.id))
  if (refusal !== undefined) {
    emit({ type: 'call_refused', step, call, reason: refusal.reason })
    return { observation: toErrorObservation(call.id, call.name, refusal.message, refusal.reason) }
  }
  if (gate?.type === 'invalid') return steps.run(`call-${call.id}`, async () => gate.outcome)
  const isUnasked = gate === undefined && turnCall.tool?.needsApproval === true
  return executeCall(isUnasked ? { ...turnCall, isUnasked } : turnCall, scope, gate?.type === 'decided' ? gate : undefined)
}

function refuse(malformed: MalformedCall, scope: CallScope): CallOutcome {
  const { raw, error } = malformed
  const outcome = { observation: toErrorObservation(raw.id, raw.name, error.message, error.code) }
  emitFinished({ turnCall: malformed, outcome, observation: outcome.observation, ms: 0 }, scope)
  return outcome
}

function emitFinished(end: Omit<CallEnd, 'type' | 'step'>, { emit, step }: CallScope): void {
  emit({ type: 'call_finished', step, ...end })
}

/** Adds the edited arguments to the observation, unless the call wasn't made. */
function withEdit(outcome: CallOutcome, args: object): CallOutcome {
  const { observation } = outcome
  const { ok, code, text, parts } = observation
  if (code === 'invalid_arguments' || code === 'approval_required') return outcome
  const words = editedTo(args)
  if (!ok) return { ...outcome, observation: { ...observation, text: `${text}\n${words}` } }
  const withWords = parts && { parts: [{ type: 'text' as const, text: words }, ...parts] }
  return { ...outcome, observation: { ...observation, text: `${words}\n${text}`, ...withWords } }
}

function notRun(
  { id, name }: { readonly id: string; readonly name: string },
  wasStarted: boolean,
  code: CallErrorCode | 'aborted' = wasStarted ? 'aborted' : 'not_run',
): CallOutcome {
  return { observation: toErrorObservation(id, name, wasStarted ? NOT_KEPT : STOPPED, code) }
}
