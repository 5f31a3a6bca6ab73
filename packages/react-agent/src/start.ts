/** Starts a run of an agent: its scope, its deadline, and what it goes on from. */
import type { InputsOf, Message, Signature } from '@x/adapters'
import type { Tool } from '@x/tool-core'
import type { Approve, GivenDecision } from './approval/decision.ts'
import { digestOf } from './approval/digest.ts'
import type { PausedRun } from './approval/paused-run.ts'
import { AgentError } from './errors.ts'
import type { AgentEvent, Emit } from './events.ts'
import { runLoop } from './loop.ts'
import type { LoopOptions } from './loop-options.ts'
import type { Budget } from './policies/spending.ts'
import type { ReactResult } from './result.ts'
import { type Run, startRun } from './run.ts'
import type { RunScope } from './scope.ts'
import { directSteps, type Steps } from './steps.ts'
import { assertValues } from './values.ts'

export interface Starter<S extends Signature> {
  readonly loop: LoopOptions<S>
  /** The tools that declare run-scoped values. */
  readonly declared: readonly Tool[]
  isClosed(): boolean
}

export interface StartOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  id?: string | undefined
  context?: object | undefined
  steps?: Steps | undefined
  budget?: Budget | undefined
  approve?: Approve | undefined
}

/** What a run begins with. */
export interface Start<S extends Signature> {
  readonly inputs: InputsOf<S>
  /** Said before it. */
  readonly messages: readonly Message[]
  readonly repairs: readonly string[]
  readonly paused?: PausedRun | undefined
  readonly decisions?: ReadonlyMap<string, GivenDecision> | undefined
}

export function start<S extends Signature>(
  { loop, declared, isClosed }: Starter<S>,
  { id = crypto.randomUUID(), signal, timeoutMs, context = {}, steps = directSteps, budget = loop.budget, approve }: StartOptions,
  begin: () => Start<S> | Promise<Start<S>>,
): Run<ReactResult<S>, AgentEvent<ReactResult<S>>> {
  return startRun<ReactResult<S>, AgentEvent<ReactResult<S>>>(async (tell) => {
    const { name } = loop
    if (isClosed()) throw new AgentError('closed', `The agent "${name}" was closed. Create another one.`)
    const emit = tell as Emit
    const { inputs, messages, repairs, paused, decisions } = await begin()
    await assertValues(declared, context)
    if (steps !== directSteps) await assertSameRun(steps, { agent: name, inputs, messages, paused })
    emit({ type: 'run_started', runId: id, agent: name })
    if (repairs.length > 0) emit({ type: 'history_repaired', repairs })
    const result = await withDeadline(timeoutMs, signal, (own) => {
      const scope: RunScope = { id, token: crypto.randomUUID(), values: context, steps, signal: own, emit, approve, decisions }
      return runLoop({ ...loop, budget }, { inputs, earlier: messages }, scope, paused)
    })
    emit({ type: 'finished', result })
    return result
  })
}

/** A journal of another run would give its responses to this one. */
async function assertSameRun(
  steps: Steps,
  { paused, ...begun }: { agent: string; paused: unknown; inputs: unknown; messages: unknown },
): Promise<void> {
  const digest = await digestOf(begun)
  const key = paused === undefined ? 'start' : `resume-${await digestOf(paused)}`
  const recorded = await steps.run(key, async () => ({ digest }))
  if (recorded?.digest === digest) return
  throw new AgentError(
    'steps_mismatch',
    `What the journal holds is of a run of another agent, or with other inputs, than this one of "${begun.agent}".`,
  )
}

async function withDeadline<T>(
  timeoutMs: number | undefined,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return work(caller)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await work(caller === undefined ? deadline.signal : AbortSignal.any([caller, deadline.signal]))
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'aborted' || caller?.aborted) throw error
    const { trajectory, unknownCalls } = error
    throw new AgentError('timed_out', `The run was not over within ${timeoutMs} ms.`, { trajectory, unknownCalls })
  } finally {
    clearTimeout(timer)
  }
}
