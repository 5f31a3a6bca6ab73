/** Starts an agent's run: sets up its scope, its timeout and its starting point. */
import type { InputsOf, Message, Signature } from '@x/adapters'
import { digestOf, LONGEST_TIMER, type Tool } from '@x/tool-core'
import type { DecidedCall } from '../approval/decision.ts'
import { inTurn } from '../approval/in-turn.ts'
import type { PausedRun } from '../approval/paused-run.ts'
import { assertBudget, assertRunOptions } from '../check-options.ts'
import { ABORTED, AgentError, withReport } from '../errors.ts'
import type { AgentEvent } from '../events.ts'
import { INNER, type InnerRun, type WithInnerRun } from '../nested/inner-run.ts'
import type { Limits, LoopOptions, RunOptions } from '../options.ts'
import { type Emit, type RunEvent, toAgentEvent } from '../run-event.ts'
import { checkedSteps } from '../steps/checked-steps.ts'
import { heldSteps, stepsFailed } from '../steps/run-step.ts'
import { directSteps, type Steps } from '../steps/steps.ts'
import { assertInputs, assertValues } from './inputs.ts'
import { runLoop } from './loop.ts'
import type { ReactResult } from './result.ts'
import { type Run, startRun } from './run-stream.ts'
import type { RunScope } from './scope.ts'

export interface Starter<S extends Signature> {
  readonly loop: LoopOptions<S>
  /** The tools that declare run-scoped values. */
  readonly declared: readonly Tool[]
  isClosed(): boolean
}

/** The starting point of a run. */
export interface Start<S extends Signature> {
  readonly inputs: InputsOf<S>
  /** Messages of earlier runs. */
  readonly messages: readonly Message[]
  readonly repairs: readonly string[]
  readonly paused?: PausedRun | undefined
  readonly decisions?: ReadonlyMap<string, DecidedCall> | undefined
}

export function start<S extends Signature>(
  { loop, declared, isClosed }: Starter<S>,
  options: Omit<RunOptions, 'history'> & WithInnerRun,
  begin: () => Start<S> | Promise<Start<S>>,
): Run<ReactResult<S>, AgentEvent<ReactResult<S>>> {
  return startRun<ReactResult<S>, AgentEvent<ReactResult<S>>, RunEvent>(async (emitEvent) => {
    const { name } = loop
    const { id: givenId, signal, timeoutMs, context = {}, budget: ownBudget, approve, [INNER]: inner } = options
    const steps = inner?.steps ?? options.steps ?? directSteps
    const outer = inner?.outer
    const ask = inner === undefined ? approve && inTurn(approve) : inner.approve
    inner?.join()
    if (isClosed()) throw new AgentError('closed', `The agent "${name}" was closed. Create another one.`)
    assertRunOptions({ approve, steps, signal, timeoutMs })
    const emit = inner === undefined ? emitEvent : forwarding(emitEvent, inner)
    const { inputs, messages, repairs, paused, decisions = inner?.decisions } = await begin()
    const budget = ownBudget ?? paused?.budget ?? loop.budget
    assertBudget('run', { budget, prices: loop.prices })
    const result = await withDeadline(timeoutMs, signal, async (own) => {
      const unfit = await assertInputs(name, loop.task, inputs, own).catch((fault: AgentError) => fault)
      if (unfit !== undefined && steps === directSteps) throw unfit
      await assertValues(declared, context)
      const held = heldSteps(checkedSteps(steps), own)
      const { id, isNew, kept } = await idOf(held, givenId, { agent: name, inputs, messages }, keptOf(loop), own)
      if (unfit !== undefined) throw isNew ? unfit : inputsChanged(unfit)
      emit({ type: 'run_started', runId: id, agent: name })
      if (repairs.length > 0) emit({ type: 'history_repaired', repairs })
      const token = crypto.randomUUID()
      const scope: RunScope = { id, token, values: context, steps: held, signal: own, emit, approve: ask, decisions, outer }
      const stopWhen = kept.hasStop === false ? undefined : loop.stopWhen
      const limits = withKept(loop.limits, kept.limits)
      return await runLoop({ ...loop, budget, limits, stopWhen }, { inputs, earlier: messages }, scope, paused)
    })
    emit({ type: 'finished', result })
    return result
  }, createPublisher<AgentEvent<ReactResult<S>>>())
}

/**
 * Wraps `emit` so that the events of an inner run also go to the outer run. Doesn't wait for the outer run's readers: their backpressure
 * applies only to the outer run.
 */
function forwarding(emit: Emit, { onEvent }: InnerRun): Emit {
  return (event) => {
    onEvent(event)
    return emit(event)
  }
}

/** Adds the time to each event. The times start at the system time and never decrease, even if the system clock is changed. */
function createPublisher<Event>(): (event: RunEvent) => Event {
  const offset = Date.now() - performance.now()
  return (event) => ({ ...toAgentEvent(event), at: offset + performance.now() }) as Event
}

/**
 * Version of a run's records. Version 1 had other names for finish reasons and malformed calls. Version 2 had no structured results, and
 * recorded a call of an agent tool as one step. Version 3 asked for an answer that a text reply already contained, and offered each found
 * tool.
 */
const RECORDS_VERSION = 4

/** The limits that a run keeps. Others could end the run, or refuse a call, in a turn that it has already passed. */
function keptOf({ limits: { maxParallelCalls, maxResultLength, maxRevealed, ...limits }, stopWhen }: LoopOptions): Kept {
  return { limits, hasStop: stopWhen !== undefined }
}

interface Kept {
  readonly limits?: object
  readonly hasStop?: boolean
}

/** Adds the limits that the run was started with. A higher `maxSteps` applies too. Earlier releases recorded no limits. */
function withKept(own: Limits, kept: object = {}): Limits {
  const limits: Limits = { ...own, ...kept }
  return { ...limits, maxSteps: Math.max(own.maxSteps, limits.maxSteps) }
}

/**
 * Returns the id and the limits of the run, which a resumed run keeps. Rejects with `steps_mismatch` if the journal belongs to another run.
 */
async function idOf(
  steps: Steps,
  givenId: string | undefined,
  begun: Begun,
  kept: Kept,
  signal: AbortSignal | undefined,
): Promise<{ readonly id: string; readonly isNew: boolean; readonly kept: Kept }> {
  const digest = steps === directSteps ? '' : await digestOf(begun)
  let isNew = false
  const begin = async () => {
    isNew = true
    return { version: RECORDS_VERSION, digest, id: givenId ?? crypto.randomUUID(), ...kept }
  }
  const recorded = await steps.run('start', begin).catch((cause: unknown) => {
    throw signal?.aborted ? new AgentError('aborted', ABORTED, { cause }) : stepsFailed(cause)
  })
  const { version, id } = recorded
  if (version !== RECORDS_VERSION)
    throw new AgentError(
      'steps_mismatch',
      `The journal has version ${version ?? 1}; this release reads version ${RECORDS_VERSION}. Use the release that began it, or a new journal.`,
    )
  if (recorded.digest === digest && (givenId === undefined || givenId === id)) return { id, isNew, kept: recorded }
  throw new AgentError(
    'steps_mismatch',
    `The journal belongs to another run: its agent, inputs, history or id differ. Use the journal of this run of "${begun.agent}", or a new one.`,
  )
}

function inputsChanged(cause: AgentError): AgentError {
  return new AgentError(
    'agent_changed',
    `The inputs of the run are no longer valid. ${cause.message} Continue the run with the agent that began it.`,
    { cause },
  )
}

interface Begun {
  readonly agent: string
  readonly inputs: unknown
  readonly messages: unknown
}

async function withDeadline<T>(
  timeoutMs: number | undefined,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER) return work(caller)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await work(caller === undefined ? deadline.signal : AbortSignal.any([caller, deadline.signal]))
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'aborted' || caller?.aborted) throw error
    throw withReport(new AgentError('timed_out', `The run did not finish within ${timeoutMs} ms (timeoutMs).`), error)
  } finally {
    clearTimeout(timer)
  }
}
