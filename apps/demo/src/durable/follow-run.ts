/** Looks up a run, and follows it until it waits or ends. */
import { DurableError, untilStopped } from '@x/durable'
import { nearestNames } from '@x/tool-core'
import { UsageError } from '../failure.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

export interface FollowOptions {
  /** If the signal aborts, the promise rejects with the signal's reason. */
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

/** Resolves to the status of a run. Rejects with `UsageError` if there is no such run. */
export async function findRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await engine.status(id)
  if (status === undefined) throw await unknownRun(engine, id)
  return status
}

/** Returns an error that suggests the nearest id. */
async function unknownRun(engine: DemoEngine, id: string): Promise<UsageError> {
  const ids = (await engine.list()).map((run) => run.id)
  const [nearest] = nearestNames(id, ids, 1)
  const way =
    ids.length === 0
      ? 'There are no runs yet.'
      : nearest === undefined
        ? 'List the ids with "runs list".'
        : `Did you mean "${nearest}"?`
  return new UsageError(`There is no run "${id}". ${way}`)
}
