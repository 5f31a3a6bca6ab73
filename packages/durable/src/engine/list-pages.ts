/** Reads a list in pages, for engines that can't filter by state exactly. */
import type { ListOptions, ListPosition, RunStatus } from './engine.ts'

/** Minimum page size, so that a small limit doesn't cause many queries. */
const PAGE = 100

/** Resolves with up to `count` runs after a position, in the order of the list. */
export type ReadPage<Status> = (count: number, after: ListPosition | undefined) => Promise<readonly Status[]>

/** Lists runs page by page. `read` may also return runs in other states, because a run may change while it is read. */
export async function listPages<Status extends RunStatus>(
  { state, limit, after }: ListOptions & { readonly limit: number },
  read: ReadPage<Status>,
): Promise<readonly Status[]> {
  const found: Status[] = []
  const count = Math.max(limit, PAGE)
  for (let position = after; found.length < limit; ) {
    const page = await read(count, position)
    for (const run of page) if (state === undefined || run.state === state) found.push(run)
    if (page.length < count) break
    position = page.at(-1)
  }
  return found.slice(0, limit)
}
