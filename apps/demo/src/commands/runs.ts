/** The `runs` command: lists, shows, approves, cancels and resumes durable runs. */

import { type EditedCall, findFaultOfEdit, withoutDatabase } from '../agent/edited-call.ts'
import type { RunsAction } from '../arguments/runs-arguments.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { toCommandLine } from '../durable/command-line.ts'
import { decideRun } from '../durable/decide.ts'
import type { EngineKind } from '../durable/engine.ts'
import { findRun } from '../durable/follow-run.ts'
import { openEngine } from '../durable/open-engine.ts'
import { type DemoEngine, type DemoStatus, isOver } from '../durable/run-data.ts'
import { showDecided, showRun, showRuns } from '../durable/show-runs.ts'
import type { WorkerSettings } from '../durable/worker-settings.ts'
import { runsFolder } from '../places.ts'

export interface RunsOptions extends WorkerSettings {
  readonly action: RunsAction
}

/** Performs the action. Resolves to true on success. Only `resume` executes anything. */
export async function runRuns(options: RunsOptions): Promise<boolean> {
  const { kind, action, database, terminal, environment = process.env } = options
  const toCommand = toCommandLine({ kind, database })
  const folder = runsFolder(database, environment)
  const look = <Result>(work: (engine: DemoEngine) => Promise<Result>) => looking(kind, folder, environment, work)
  switch (action.type) {
    case 'list':
      showRuns(terminal, await look((engine) => engine.list()))
      return true
    case 'show':
      showRun(terminal, await look((engine) => findRun(engine, action.id)), toCommand)
      return true
    case 'approve': {
      const { id, name, decision: words } = action
      const decided = await look(async (engine) => {
        const run = await findRun(engine, id)
        const findFault = (call: EditedCall) => findFaultIn(options.domains, run, call)
        return await decideRun(engine, run, { name, words, toCommand, findFault })
      })
      showDecided(terminal, decided, toCommand(`runs resume ${id}`))
      return true
    }
    case 'cancel': {
      const status = await look((engine) => cancelRun(engine, action.id))
      terminal.line(
        isOver(status) ? `The run "${action.id}" had already ended: ${status.state}.` : `The run "${action.id}" was cancelled.`,
      )
      return true
    }
    case 'resume': {
      const { resumeRuns } = await import('./runs-resume.ts')
      return await resumeRuns({ ...options, ...action, toCommand, look })
    }
  }
}

/** Opens the engine without a run function, so that it executes nothing. */
async function looking<Result>(
  kind: EngineKind,
  folder: string,
  environment: NodeJS.ProcessEnv,
  work: (engine: DemoEngine) => Promise<Result>,
): Promise<Result> {
  const engine = await openEngine(kind, { folder, environment })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Validates edited arguments with the tools of the run's domains. */
async function findFaultIn(known: readonly DomainEntry[], { input: { domain } }: DemoStatus, call: EditedCall) {
  const entries = known.filter(({ name }) => domain === undefined || name === domain)
  return await findFaultOfEdit(withoutDatabase(await Promise.all(entries.map(loadDomain))), call)
}

/** Cancels the run. Resolves to the status that the run had before. */
async function cancelRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await findRun(engine, id)
  await engine.cancel(id)
  return status
}
