/** Reads the status of one run or of many. All functions reject with `engine_failed`. */
import type { WorkflowStatus } from '@dbos-inc/dbos-sdk'
import type { ListOptions, RunStatus } from '../engine/engine.ts'
import { listPages } from '../engine/list-pages.ts'
import { checkListOptions } from '../engine/options.ts'
import { byNewest } from './list-query.ts'
import type { Names } from './names.ts'
import { toRunStatus } from './run-status.ts'
import type { Store } from './store.ts'
import { readWaits } from './tables.ts'

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
    return toRunStatus<Input, Output>(id, workflow, waits.get(workflowId), versionOf(names, workflow))
  })
}

export async function readRuns<Input, Output>(
  { client, pool, ask }: Store,
  names: Names,
  options: ListOptions,
): Promise<readonly RunStatus<Input, Output>[]> {
  const checked = checkListOptions(options, true)
  return await listPages<RunStatus<Input, Output>>(checked, async (count, after) => {
    const ids = await ask(() => byNewest(pool, names, { ...checked, limit: count, after }))
    const isLast = ids.length < count
    if (ids.length === 0) return { runs: [], isLast }
    const workflows = await ask(() => client.listWorkflows({ workflowIDs: [...ids] }))
    const waits = await ask(() => readWaits(pool, ids))
    const known = new Map(workflows.map((workflow) => [workflow.workflowID, workflow]))
    const runs = ids.flatMap((workflowId) => {
      const workflow = known.get(workflowId)
      if (workflow === undefined) return []
      return [toRunStatus<Input, Output>(names.runId(workflowId), workflow, waits.get(workflowId), versionOf(names, workflow))]
    })
    return { runs, isLast }
  })
}

function versionOf(names: Names, { applicationVersion }: WorkflowStatus): string | undefined {
  return applicationVersion ? names.ownVersion(applicationVersion) : undefined
}
