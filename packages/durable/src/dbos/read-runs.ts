/** How runs stand: one, or the newest. */
import type { ListOptions, RunStatus } from '../engine.ts'
import type { Names } from './names.ts'
import { statusesOf, toRunStatus } from './run-status.ts'
import type { Store } from './store.ts'
import { readWaits } from './tables.ts'

/** Of a list, unless told; and how many are asked for at once. */
const LIMIT = 100

export async function readRun<Input, Output>(
  { client, pool }: Store,
  names: Names,
  id: string,
): Promise<RunStatus<Input, Output> | undefined> {
  const workflowId = names.workflowId(id)
  const workflow = await client.getWorkflow(workflowId)
  if (workflow === undefined) return undefined
  const waits = await readWaits(pool, [workflowId])
  return toRunStatus(id, workflow, waits.get(workflowId))
}

export async function readRuns<Input, Output>(
  { client, pool }: Store,
  names: Names,
  { state, limit = LIMIT }: ListOptions,
): Promise<readonly RunStatus<Input, Output>[]> {
  const found: RunStatus<Input, Output>[] = []
  const filter = { workflowName: names.workflow, ...(state === undefined ? {} : { status: statusesOf(state) }) }
  for (let offset = 0; found.length < limit; offset += LIMIT) {
    const workflows = await client.listWorkflows({ ...filter, sortDesc: true, limit: LIMIT, offset })
    const ids = workflows.map(({ workflowID }) => workflowID)
    const waits = await readWaits(pool, ids)
    for (const workflow of workflows) {
      const run = toRunStatus<Input, Output>(names.runId(workflow.workflowID), workflow, waits.get(workflow.workflowID))
      if (state === undefined || run.state === state) found.push(run)
    }
    if (workflows.length < LIMIT) break
  }
  return found.slice(0, limit)
}
