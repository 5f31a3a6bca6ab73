/** Reads a list in pages, because the state of a run may change between the query that selects it and the one that reads it. */
import type { ListPosition, RunStatus } from './engine.ts'
import { type CheckedListOptions, isListed } from './options.ts'

/** Resolves with up to `count` runs after a position, in the order of the list. */
export type ReadPage<Status> = (count: number, after: ListPosition | undefined) => Promise<readonly Status[]>

/**
 * Lists runs page by page. `read` may also return runs that don't meet the conditions any more. `minimum` is the page size of engines
 * whose query selects many of them, so that a small limit doesn't cause many queries.
 */
export async function listPages<Status extends RunStatus>(
  options: CheckedListOptions,
  read: ReadPage<Status>,
  minimum = 1,
): Promise<readonly Status[]> {
  const { limit, after } = options
  const found: Status[] = []
  for (let position = after; found.length < limit; ) {
    const count = Math.max(limit - found.length, minimum)
    const page = await read(count, position)
    for (const run of page) if (isListed(run, options)) found.push(run)
    if (page.length < count) break
    position = page.at(-1)
  }
  return found.slice(0, limit)
}
