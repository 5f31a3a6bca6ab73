/** Converts the status of a DBOS workflow to the status of a run. */
import type { WorkflowStatus, WorkflowStatusString } from '@dbos-inc/dbos-sdk'
import type { RunState, RunStatus, WaitsFor } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import type { RunFailure } from '../errors.ts'

/** A worker that closes puts its waiting runs back into DBOS's queue, so an enqueued run may be waiting. */
const STATUSES: Record<RunState, WorkflowStatusString[]> = {
  queued: ['ENQUEUED', 'DELAYED'],
  running: ['PENDING'],
  waiting: ['PENDING', 'ENQUEUED'],
  finished: ['SUCCESS'],
  failed: ['ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'],
  cancelled: ['CANCELLED'],
}

/** The DBOS statuses that runs in a state may have. */
export function statusesOf(state: RunState): WorkflowStatusString[] {
  return STATUSES[state]
}

export function isOver({ status }: WorkflowStatus): boolean {
  return ![...STATUSES.queued, ...STATUSES.waiting].includes(status as WorkflowStatusString)
}

export function toRunStatus<Input, Output>(
  id: string,
  workflow: WorkflowStatus,
  waitsFor: readonly WaitsFor[] = [],
): RunStatus<Input, Output> {
  const isWaiting = waitsFor.length > 0 && !isOver(workflow)
  const state = isWaiting ? 'waiting' : stateOf(workflow)
  return {
    id,
    state,
    input: inputOf(workflow) as Input,
    waitsFor: isWaiting ? waitsFor : [],
    ...(state === 'finished' ? { output: parsed(workflow.output) as Output } : {}),
    ...(state === 'failed' ? { failure: failureOf(workflow) } : {}),
    startedAt: new Date(workflow.createdAt).toISOString(),
  }
}

export function inputOf({ input }: WorkflowStatus): unknown {
  return parsed(input?.[0])
}

function stateOf({ status }: WorkflowStatus): RunState {
  const states: RunState[] = ['queued', 'running', 'finished', 'failed', 'cancelled']
  return states.find((state) => STATUSES[state].includes(status as WorkflowStatusString)) ?? 'failed'
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined
}

function failureOf({ status, error }: WorkflowStatus): RunFailure {
  if (status !== 'ERROR') return { name: 'Error', message: 'Too many workers died while executing the run.' }
  const { message } = toFailure(error)
  try {
    return JSON.parse(message)
  } catch {
    // An error of DBOS itself.
    return toFailure(error)
  }
}
