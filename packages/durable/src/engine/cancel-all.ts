/** Cancels many runs. Works with any engine. */
import { DurableError } from '../errors.ts'
import type { ListOptions, RunFilter, RunStatus } from './engine.ts'
import { checkFilterKeys } from './options.ts'

/** Number of runs that are listed at a time. */
const PAGE = 100
const ENDED: readonly string[] = ['finished', 'failed', 'cancelled']

/** The part of an engine that cancels runs. */
export interface CancellingEngine {
  list(options: ListOptions): Promise<readonly RunStatus[]>
  cancel(id: string): Promise<void>
}

/**
 * Cancels the runs that match and haven't ended. Resolves to their ids. Runs that start meanwhile may be left out. Rejects
 * with `invalid_options` for an unknown or undefined condition, and like `list` and `cancel`; call it again to continue.
 */
export async function cancelAll(engine: CancellingEngine, filter: RunFilter = {}): Promise<readonly string[]> {
  checkFilterKeys('cancelAll', filter)
  for (const [key, condition] of Object.entries(filter))
    if (condition === undefined)
      throw new DurableError(
        'invalid_options',
        `cancelAll: "${key}" is undefined. Leave it out to cancel runs whatever their ${key} is.`,
      )
  const ids: string[] = []
  let page: readonly RunStatus[]
  let after: RunStatus | undefined
  do {
    page = await engine.list({ ...filter, after, limit: PAGE })
    for (const { id, state } of page) {
      if (ENDED.includes(state)) continue
      await engine.cancel(id)
      ids.push(id)
    }
    after = page.at(-1)
  } while (page.length === PAGE)
  return ids
}
