/** Resumes durable runs: this process executes them until each one waits or ends. */

import type { LMChoice } from '../agent/providers.ts'
import type { ToCommand } from '../durable/command-line.ts'
import { findRun } from '../durable/follow-run.ts'
import { type DemoEngine, type DemoStatus, isOver, isStopped, requestOf } from '../durable/run-data.ts'
import { createRunsView, showStop } from '../durable/show-runs.ts'
import { type Worker, withWorker } from '../durable/worker.ts'
import type { WorkerSettings } from '../durable/worker-settings.ts'
import { isWell } from './durable-ask.ts'

export interface ResumeOptions extends WorkerSettings {
  /** Default: all unfinished runs. */
  readonly id?: string | undefined
  readonly lm?: LMChoice | undefined
  readonly toCommand: ToCommand
  /** Calls `work` with an engine that executes nothing. */
  look<Result>(work: (engine: DemoEngine) => Promise<Result>): Promise<Result>
}

const MOST_RUNS = 10_000

/** Resumes the runs. Resolves to true if each run is waiting for a decision or has answered. */
export async function resumeRuns(options: ResumeOptions): Promise<boolean> {
  const { id, terminal, toCommand, look } = options
  const found = await look(async (engine) => (id === undefined ? await openRuns(engine) : [await findRun(engine, id)]))
  const stopped = found.filter(isStopped)
  const going = found.filter((run) => !stopped.includes(run))
  const { head } = createRunsView(terminal)
  for (const run of stopped) {
    head(run.id, requestOf(run))
    showStop(terminal, run, toCommand)
  }
  if (found.length === 0) terminal.line('There is no run to resume.')
  const wasWell = stopped.every(isWell)
  if (going.length === 0) return wasWell
  const inputs = id === undefined ? [] : going.map(({ input }) => input)
  return await withWorker(options, inputs, async (worker) => {
    const ends = await Promise.all(going.map((run) => followAndShow(worker, run, options)))
    return wasWell && ends.every(Boolean)
  })
}

async function openRuns(engine: DemoEngine): Promise<readonly DemoStatus[]> {
  return (await engine.list({ limit: MOST_RUNS })).filter((run) => !isOver(run))
}

async function followAndShow({ head, follow }: Worker, run: DemoStatus, options: ResumeOptions): Promise<boolean> {
  const { id, terminal, toCommand, signal } = options
  try {
    const status = await follow(run.id)
    head(run.id, requestOf(run))
    showStop(terminal, status, toCommand)
    return isWell(status)
  } catch (failure) {
    // If a run can't be executed in this process, the other runs are still resumed.
    if (id !== undefined || signal.aborted) throw failure
    head(run.id, requestOf(run))
    terminal.line(`  ${failure instanceof Error ? failure.message : String(failure)}`)
    return false
  }
}
