/** Durable runs from outside: lists and shows them, decides what they wait for, ends them, and lets them go on. */
import { toCommandLine } from '../durable/command-line.ts'
import { type DecisionWords, decideRun } from '../durable/decide.ts'
import type { EngineKind } from '../durable/engine-kinds.ts'
import { openEngine } from '../durable/open-engine.ts'
import { type DemoEngine, type DemoStatus, isOver } from '../durable/run-data.ts'
import { findRun } from '../durable/unknown-run.ts'
import { runsFolder } from '../places.ts'
import type { LMChoice } from '../providers.ts'
import { showDecided, showRun, showRuns } from '../view/durable-runs.ts'
import type { Terminal } from '../view/terminal.ts'

/** What is to be done, and with which run. */
export type RunsAction =
  | { readonly type: 'list' }
  | { readonly type: 'show' | 'cancel'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly name?: string | undefined; readonly decision: DecisionWords }
  /** Without an id all runs that are not over. */
  | { readonly type: 'resume'; readonly id?: string | undefined; readonly lm?: LMChoice | undefined }

export interface RunsOptions {
  readonly kind: EngineKind
  readonly action: RunsAction
  readonly database?: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/** Resolves to whether all went well; only `resume` executes anything. */
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
      const { id, name, decision } = action
      const decided = await look(async (engine) => decideRun(engine, await findRun(engine, id), name, decision))
      showDecided(terminal, decided, toCommand(`runs resume ${id}`))
      return true
    }
    case 'cancel': {
      const status = await look((engine) => cancelRun(engine, action.id))
      terminal.line(
        isOver(status) ? `The run "${action.id}" was over already: ${status.state}.` : `The run "${action.id}" is cancelled.`,
      )
      return true
    }
    case 'resume': {
      const { resumeRuns } = await import('./runs-resume.ts')
      return await resumeRuns({ ...options, ...action, environment, folder, toCommand, look })
    }
  }
}

/** Opens the engine without a function: nothing is executed here. */
async function looking<Result>(
  kind: EngineKind,
  folder: string,
  environment: NodeJS.ProcessEnv,
  work: (engine: DemoEngine) => Promise<Result>,
): Promise<Result> {
  const { engine } = await openEngine(kind, { folder, environment })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Resolves to how it stood before. */
async function cancelRun(engine: DemoEngine, id: string): Promise<DemoStatus> {
  const status = await findRun(engine, id)
  await engine.cancel(id)
  return status
}
