/** Reads a list page by page. The state of a run may change between the query that selects it and the one that reads it. */
import type { ListPosition, RunStatus } from './engine.ts'
import { type CheckedListOptions, isListed } from './options.ts'

/** At most `count` runs, in the order of the list. Runs that were removed during the query may be missing. */
export interface Page<Status> {
  readonly runs: readonly Status[]
  readonly isLast: boolean
}

/** Reads at most `count` runs after a position. */
export type ReadPage<Status> = (count: number, after: ListPosition | undefined) => Promise<Page<Status>>

/**
 * Lists runs page by page. `read` may return runs that no longer meet the conditions. Pages have at least `minimum` runs, so that
 * a small limit doesn't cause many queries if few of the selected runs remain.
 */
export async function listPages<Status extends RunStatus>(
  options: CheckedListOptions,
  read: ReadPage<Status>,
  minimum = 1,
): Promise<readonly Status[]> {
  const { limit, after } = options
  const found: Status[] = []
  let isEmpty = false
  for (let position = after; found.length < limit; ) {
    const count = Math.max(limit - found.length, minimum)
    const { runs, isLast } = await read(count, position)
    for (const run of runs) if (isListed(run, options)) found.push(run)
    // All runs of a page may have been removed. Ends if the next one is empty too.
    if (isLast || (isEmpty && runs.length === 0)) break
    isEmpty = runs.length === 0
    position = runs.at(-1) ?? position
  }
  return found.slice(0, limit)
}
