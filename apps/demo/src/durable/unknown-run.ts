/** Looks up a run, and suggests the nearest id when it doesn't exist. */
import { nearestNames } from '@x/tool-core'
import { UsageError } from '../arguments/usage-error.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

/** Rejects with `UsageError` when it doesn't exist. */
export async function findRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await engine.status(id)
  if (status === undefined) throw await unknownRun(engine, id)
  return status
}

export async function unknownRun(engine: DemoEngine, id: string): Promise<UsageError> {
  const ids = (await engine.list()).map((run) => run.id)
  const [nearest] = nearestNames(id, ids, 1)
  const way =
    ids.length === 0 ? 'There are no runs yet.' : nearest === undefined ? '"runs list" lists them.' : `Did you mean "${nearest}"?`
  return new UsageError(`There is no run "${id}". ${way}`)
}
