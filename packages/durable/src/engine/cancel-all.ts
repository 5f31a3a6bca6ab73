/** Cancels many runs. Works with any engine. */
import type { DurableEngine, ListOptions, RunStatus } from './engine.ts'

/** Number of runs that are listed and cancelled at the same time. */
const PAGE = 100
const ENDED: readonly string[] = ['finished', 'failed', 'cancelled'] satisfies RunStatus['state'][]

/**
 * Cancels the runs that match and haven't ended. Resolves to their ids. Runs that start meanwhile may be left out. Rejects like `list` and
 * `cancel`; call it again to continue.
 */
export async function cancelAll(
  engine: Pick<DurableEngine<unknown, unknown>, 'list' | 'cancel'>,
  filter: Omit<ListOptions, 'limit' | 'after'> = {},
): Promise<readonly string[]> {
  const ids: string[] = []
  let page: readonly RunStatus[]
  let after: RunStatus | undefined
  do {
    page = await engine.list({ ...filter, after, limit: PAGE })
    const open = page.filter(({ state }) => !ENDED.includes(state))
    await Promise.all(open.map(({ id }) => engine.cancel(id)))
    for (const { id } of open) ids.push(id)
    after = page.at(-1)
  } while (page.length === PAGE)
  return ids
}
