/** Says that there is no such run, and which one may have been meant. */
import { nearestNames } from '@x/tool-core'
import { UsageError } from '../arguments/usage-error.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

/** Rejects with `UsageError` where there is none. */
export async function findRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await engine.status(id)
  if (status === undefined) throw await unknownRun(engine, id)
  return status
}

export async function unknownRun(engine: DemoEngine, id: string): Promise<UsageError> {
  const ids = (await engine.list()).map((run) => run.id)
  const [nearest] = nearestNames(id, ids, 1)
  const way =
    ids.length === 0 ? 'There is none yet.' : nearest === undefined ? '"runs list" lists them.' : `Did you mean "${nearest}"?`
  return new UsageError(`There is no run "${id}". ${way}`)
}
