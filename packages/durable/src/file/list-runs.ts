/** Lists the runs of a folder by their start times. Reads only the journals that it needs, which it finds by the times of the files. */
import type { ListPosition, RunState, RunStatus } from '../engine/engine.ts'
import { type CheckedListOptions, isListed } from '../engine/options.ts'
import type { Place } from './run-folder.ts'
import type { RunStore } from './run-store.ts'

/**
 * The folders to search for a run in each state. The folder itself (`open`) is always included, because a journal is there while
 * it moves and after a crash. The order is that in which journals move, so that a journal that moves during the search isn't
 * missed.
 */
const PLACES: { readonly [State in RunState | 'any']: readonly Place[] } = {
  any: ['open', 'waiting', 'open', 'ended'],
  queued: ['open'],
  running: ['open'],
  waiting: ['open', 'waiting'],
  held: ['open', 'waiting'],
  finished: ['open', 'ended'],
  failed: ['open', 'ended'],
  cancelled: ['open', 'ended'],
}

/**
 * How much the start time of a run may differ from the time of its journal, in milliseconds. File times lag behind the clock by a
 * kernel tick. In a copy of the folder, the times differ more; the time of the journal then counts.
 */
const APART_MS = 20

/** Lists runs, newest first, and by id if they started in the same millisecond. */
export async function listRuns(
  { folder, report }: RunStore,
  options: CheckedListOptions,
  statusOf: (id: string) => Promise<RunStatus | undefined>,
): Promise<readonly RunStatus[]> {
  const { state, limit, after, startedFrom } = options
  if (limit === 0) return []
  const position = after && (await toPosition(after))
  const found: Listed[] = []
  for (const { id, madeAt } of await folder.byAge(PLACES[state ?? 'any'], startedFrom)) {
    if (position !== undefined && madeAt > position.time + APART_MS) continue
    // No journal that comes later can be among the first ones.
    if (found.length === limit && madeAt + APART_MS < Number(found.at(-1)?.time)) break
    // A damaged journal is reported and skipped, so that the other runs are still listed.
    const status = await statusOf(id).catch(report)
    if (!status || !isListed(status, options)) continue
    const listed = { id, time: timeOf(status, madeAt), status }
    if (position !== undefined && byTime(position, listed) >= 0) continue
    let index = found.length
    while (index > 0 && byTime(found[index - 1] as Listed, listed) > 0) index--
    found.splice(index, 0, listed)
    found.length = Math.min(found.length, limit)
  }
  return found.map(({ status }) => status)

  /** The run may have been removed, and another one may have been started with its id. */
  async function toPosition(last: ListPosition): Promise<Position> {
    const journal = folder.find(last.id)
    const run = await statusOf(last.id).catch(report)
    const startedAt = Date.parse(last.startedAt)
    const isThere = journal && run && Date.parse(run.startedAt) === startedAt
    return { id: last.id, time: isThere ? timeOf(last, journal.madeAt) : startedAt }
  }
}

interface Position {
  readonly id: string
  /** Time by which the run is sorted, in milliseconds since 1970. */
  readonly time: number
}

interface Listed extends Position {
  readonly status: RunStatus
}

function timeOf({ startedAt }: ListPosition, madeAt: number): number {
  return Math.min(Math.max(Date.parse(startedAt), madeAt - APART_MS), madeAt + APART_MS)
}

/** Compares two runs for sorting, newest first. */
function byTime(one: Position, other: Position): number {
  return other.time - one.time || Number(one.id < other.id) - Number(one.id > other.id)
}
