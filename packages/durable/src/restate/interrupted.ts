/**
 * Lets the server continue interrupted runs as soon as a worker starts. Otherwise, a run that ends its workers delays all others: the
 * server makes each run that it interrupts wait up to five seconds more, even if that run has made progress.
 */
import { type Query, quoted } from './journal-entries.ts'
import type { RestateServer } from './restate-server.ts'

/** Maximum number of runs that are continued at once. The server continues the others after their delay. */
const AT_ONCE = 500

/** Continues the runs that have added a record in their last attempt. Others may be the reason why the worker has ended. */
export async function resumeInterrupted({ query, resume }: RestateServer, name: string): Promise<void> {
  const ids = await findInterrupted(query, name)
  // A run that can't be continued has ended or is being executed already.
  await Promise.allSettled(ids.map((id) => resume(id)))
}

async function findInterrupted(query: Query, name: string): Promise<readonly string[]> {
  const waiting = (await query(
    `select id, last_start_at from sys_invocation where target_service_name = ${quoted(name)} and target_handler_name = 'run'
     and status = 'backing-off' limit ${AT_ONCE}`,
  )) as readonly { readonly id: string; readonly last_start_at?: string }[]
  if (waiting.length === 0) return []
  const recorded = (await query(
    `select id, max(appended_at) as recorded_at from sys_journal where id in (${waiting.map(({ id }) => quoted(id)).join(', ')})
     group by id`,
  )) as readonly { readonly id: string; readonly recorded_at?: string }[]
  const startedAt = new Map(waiting.map((run) => [run.id, Date.parse(run.last_start_at ?? '')]))
  return recorded.flatMap(({ id, recorded_at: at = '' }) => (Date.parse(at) > (startedAt.get(id) ?? 0) ? [id] : []))
}
