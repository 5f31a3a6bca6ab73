/** Follows a run until it waits or ends. */
import { DurableError, untilStopped } from '@x/durable'
import type { DemoEngine, DemoStatus } from './run-data.ts'
import { unknownRun } from './unknown-run.ts'

export interface FollowOptions {
  /** When it aborts, the promise rejects with its reason. */
  readonly signal: AbortSignal
}

/** Resolves to the run's status once it waits or ends. */
export async function followRun(engine: DemoEngine, id: string, options: FollowOptions): Promise<DemoStatus> {
  try {
    return await untilStopped(engine, id, options)
  } catch (error) {
    throw error instanceof DurableError && error.code === 'unknown_run' ? await unknownRun(engine, id) : error
  }
}
