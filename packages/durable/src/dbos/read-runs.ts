/** Reads the status of one run, or of the newest ones. Both functions reject with `engine_failed`. */
import type { ListOptions, RunStatus } from '../engine/engine.ts'
import { checkListOptions } from '../engine/options.ts'
import type { Names } from './names.ts'
import { statusesOf, toRunStatus } from './run-status.ts'
import type { Store } from './store.ts'
import { readWaits } from './tables.ts'

/** Number of runs per query. */
const PAGE = 100

export async function readRun<Input, Output>(
  { client, pool, ask }: Store,
  names: Names,
  id: string,
): Promise<RunStatus<Input, Output> | undefined> {
  const workflowId = names.workflowId(id)
  return await ask(async () => {
    const workflow = await client.getWorkflow(workflowId)
    if (workflow === undefined) return undefined
    const waits = await readWaits(pool, [workflowId])
    return toRunStatus<Input, Output>(id, workflow, waits.get(workflowId))
  })
}

export async function readRuns<Input, Output>(
  { client, pool, ask }: Store,
  names: Names,
  options: ListOptions,
): Promise<readonly RunStatus<Input, Output>[]> {
  const { state, limit } = checkListOptions(options)
  const found: RunStatus<Input, Output>[] = []
  const filter = { workflowName: names.workflow, ...(state === undefined ? {} : { status: statusesOf(state) }) }
  for (let offset = 0; found.length < limit; offset += PAGE) {
    const workflows = await ask(() => client.listWorkflows({ ...filter, sortDesc: true, limit: PAGE, offset }))
    const ids = workflows.map(({ workflowID }) => workflowID)
    const waits = await ask(() => readWaits(pool, ids))
    for (const workflow of workflows) {
      const run = toRunStatus<Input, Output>(names.runId(workflow.workflowID), workflow, waits.get(workflow.workflowID))
      if (state === undefined || run.state === state) found.push(run)
    }
    if (workflows.length < PAGE) break
  }
  return found.slice(0, limit)
}
