/** Converts DBOS's workflow status to the status of a run. */
import type { WorkflowStatus, WorkflowStatusString } from '@dbos-inc/dbos-sdk'
import type { RunState, RunStatus, WaitsFor } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { workerCrashed } from '../engine/run-errors.ts'
import type { RunFailure } from '../errors.ts'
import { CRASHED } from './tables.ts'
import { HELD } from './waiting.ts'

/**
 * The DBOS statuses for each state. A waiting run usually has the status `DELAYED`. If it needs several decisions and has
 * received one, it may be queued or running for a moment.
 */
const STATUSES: Record<RunState, WorkflowStatusString[]> = {
  queued: ['ENQUEUED', 'DELAYED'],
  running: ['PENDING'],
  waiting: ['PENDING', 'ENQUEUED', 'DELAYED'],
  held: ['DELAYED'],
  finished: ['SUCCESS'],
  failed: ['ERROR', CRASHED],
  cancelled: ['CANCELLED'],
}

/** Returns the DBOS statuses that runs in a state may have. */
export function statusesOf(state: RunState): WorkflowStatusString[] {
  return STATUSES[state]
}

/** The DBOS statuses of runs that have ended. */
export const ENDED = [...STATUSES.finished, ...STATUSES.failed, ...STATUSES.cancelled]

export function isOver({ status }: WorkflowStatus): boolean {
  return !STATUSES.waiting.includes(status as WorkflowStatusString)
}

export function toRunStatus<Input, Output>(
  id: string,
  workflow: WorkflowStatus,
  waitsFor: readonly WaitsFor[] = [],
  version?: string,
): RunStatus<Input, Output> {
  const isWaiting = waitsFor.length > 0 && !isOver(workflow) && !isHeld(workflow)
  const state = isWaiting ? 'waiting' : stateOf(workflow)
  const crashes = crashesOf(workflow)
  return {
    id,
    state,
    input: inputOf(workflow) as Input,
    waitsFor: isWaiting ? waitsFor : [],
    ...(state === 'finished' ? { output: parsed(workflow.output) as Output } : {}),
    ...(state === 'failed' || state === 'held' ? { failure: failureOf(id, workflow) } : {}),
    startedAt: new Date(workflow.createdAt).toISOString(),
    ...(version === undefined ? {} : { version }),
    ...(crashes > 0 ? { crashes } : {}),
  }
}

export function inputOf({ input }: WorkflowStatus): unknown {
  return parsed(input?.[0])
}

function isHeld({ status, delayUntilEpochMS }: WorkflowStatus): boolean {
  return status === 'DELAYED' && delayUntilEpochMS === HELD
}

function stateOf(workflow: WorkflowStatus): RunState {
  if (isHeld(workflow)) return 'held'
  const { status } = workflow
  const states: RunState[] = ['queued', 'running', 'finished', 'failed', 'cancelled']
  return states.find((state) => STATUSES[state].includes(status as WorkflowStatusString)) ?? 'failed'
}

/** Must match `IS_CRASHING`. */
function crashesOf(workflow: WorkflowStatus): number {
  const { status, recoveryAttempts = 0 } = workflow
  if (isOver(workflow)) return 0
  return status === 'PENDING' ? recoveryAttempts - 1 : recoveryAttempts
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined
}

function failureOf(id: string, { status, error, recoveryAttempts }: WorkflowStatus): RunFailure {
  if (status === CRASHED) return toFailure(workerCrashed(id, recoveryAttempts ?? 1))
  try {
    return JSON.parse((error as Error).message)
  } catch {
    // The error isn't a recorded failure, so DBOS itself failed.
    return toFailure(error)
  }
}
