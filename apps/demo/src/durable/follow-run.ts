/** Looks up a run, and follows it until it waits or ends. */
import { DurableError, untilStopped } from '@x/durable'
import { nearestNames } from '@x/tool-core'
import { UsageError } from '../failure.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

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

/** Rejects with `UsageError` when it doesn't exist. */
export async function findRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await engine.status(id)
  if (status === undefined) throw await unknownRun(engine, id)
  return status
}

/** Suggests the nearest id. */
async function unknownRun(engine: DemoEngine, id: string): Promise<UsageError> {
  const ids = (await engine.list()).map((run) => run.id)
  const [nearest] = nearestNames(id, ids, 1)
  const way =
    ids.length === 0 ? 'There are no runs yet.' : nearest === undefined ? '"runs list" lists them.' : `Did you mean "${nearest}"?`
  return new UsageError(`There is no run "${id}". ${way}`)
}
