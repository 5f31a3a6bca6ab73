/** Runs this process as a worker, which executes durable runs and prints their events. */

import type { LMChoice } from '../agent/providers.ts'
import { keptPlace, runsFolder } from '../places.ts'
import { createAgents } from './agents.ts'
import { followRun } from './follow-run.ts'
import { openEngine } from './open-engine.ts'
import type { DemoEngine, DemoStatus, RunInput } from './run-data.ts'
import { createRunFunction } from './run-function.ts'
import { createRunsView } from './show-runs.ts'
import type { WorkerSettings } from './worker-settings.ts'

export interface WorkerOptions extends WorkerSettings {
  /** The model to use instead of the models that the runs name. */
  readonly lm?: LMChoice | undefined
}

export interface Worker {
  readonly engine: DemoEngine
  /** Prints a run's heading. */
  head(id: string, request: string): void
  /** Resolves when the run waits or ends. Rejects if this process can't execute the run. The run itself doesn't fail then. */
  follow(id: string): Promise<DemoStatus>
}

/**
 * Executes runs while `work` is pending: the runs that `work` starts, and runs that other workers abandoned. Opens the models and
 * databases for `inputs` first. If one of them can't be opened, nothing is executed.
 */
export async function withWorker<Result>(
  options: WorkerOptions,
  inputs: readonly RunInput[],
  work: (worker: Worker) => Promise<Result>,
): Promise<Result> {
  const { kind, database, terminal, signal, environment = process.env } = options
  const folder = runsFolder(database, environment)
  const agents = createAgents({ ...options, place: keptPlace(database, environment) })
  const view = createRunsView(terminal)
  const unable = new Map<string, AbortController>()
  const whenUnable = (id: string) => {
    const controller = unable.get(id) ?? new AbortController()
    unable.set(id, controller)
    return controller
  }
  const fn = createRunFunction({
    agents,
    onEvent: (id, input, event) => view.onEvent(id, input, event),
    onUnable: (id, failure) => whenUnable(id).abort(failure),
  })
  try {
    for (const input of inputs) await agents.agentFor(input)
    const engine = await openEngine(kind, { fn, folder, environment })
    try {
      return await work({
        engine,
        head: view.head,
        follow: (id) => followRun(engine, id, { signal: AbortSignal.any([signal, whenUnable(id).signal]) }),
      })
    } finally {
      await engine.close()
    }
  } finally {
    await agents.close()
  }
}
