/** The DBOS engine. PostgreSQL stores the runs, and any number of workers on any machines execute them. */
import { loadModules } from '@x/react-agent/steps'
import type {
  DurableEngine,
  EngineHealth,
  EngineStats,
  ListOptions,
  RunFunction,
  RunStatus,
  WaitOptions,
} from '../engine/engine.ts'
import { toHealth } from '../engine/health.ts'
import { toJsonText } from '../engine/json-text.ts'
import type { Report } from '../engine/options.ts'
import {
  assertRunId,
  assertSameInput,
  engineClosed,
  runCancelled,
  runEnded,
  runFailed,
  unknownRun,
} from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { decide } from './decide.ts'
import { type Names, namesOf } from './names.ts'
import { type DbosEngineOptions, readOptions } from './options.ts'
import { loadPackages } from './packages.ts'
import { claimProcess } from './process-claim.ts'
import { readRun, readRuns } from './read-runs.ts'
import { remove } from './removal.ts'
import { Results } from './results.ts'
import { inputOf, isOver } from './run-status.ts'
import { readStats } from './stats.ts'
import { openStore, type Store } from './store.ts'
import { CRASHED } from './tables.ts'
import { release } from './waiting.ts'
import { DbosWorker, type WorkerOptions } from './worker.ts'

/**
 * Opens the engine for the runs with this name. With `fn`, it is also a worker and executes them. DBOS is a singleton, so a
 * process can have only one worker at a time. Rejects with `invalid_options`, `missing_package` or `engine_failed`.
 */
export async function createDbosEngine<Input, Output>(
  options: DbosEngineOptions<Input, Output>,
): Promise<DurableEngine<Input, Output>> {
  const settings = readOptions(options)
  const { fn, version } = options
  const packages = await loadPackages()
  if (fn !== undefined) await loadModules()
  const names = namesOf(settings.name)
  const giveUp = fn === undefined ? () => {} : claimProcess(packages.sdk.DBOS)
  try {
    const store = await openStore(packages, names, settings)
    const target = fn === undefined ? version : (version ?? '1')
    const engine = new DbosEngine<Input, Output>(store, names, target, giveUp, settings.report)
    if (fn !== undefined) await engine.work({ fn: fn as RunFunction<unknown, unknown>, packages, settings })
    return engine
  } catch (cause) {
    giveUp()
    throw cause
  }
}

class DbosEngine<Input, Output> implements DurableEngine<Input, Output> {
  readonly #store: Store
  readonly #names: Names
  readonly #version: string | undefined
  readonly #giveUp: () => void
  readonly #results: Results
  /** Original errors of failed runs, by workflow id. Only for runs that failed in this process and are awaited here. */
  readonly #causes = new Map<string, unknown>()
  #worker: DbosWorker | undefined
  #closed: Promise<void> | undefined

  constructor(store: Store, names: Names, version: string | undefined, giveUp: () => void, report: Report) {
    this.#store = store
    this.#names = names
    this.#version = version === undefined ? undefined : names.version(version)
    this.#giveUp = giveUp
    this.#results = new Results(store.pool, report)
  }

  async work(options: Pick<WorkerOptions, 'fn' | 'packages' | 'settings'>): Promise<void> {
    const onEnd = (workflowId: string, cause?: unknown) => {
      if (cause !== undefined && this.#results.isAwaited(workflowId)) this.#causes.set(workflowId, cause)
      this.#results.wake()
    }
    const worker = new DbosWorker({ ...options, names: this.#names, store: this.#store, onEnd })
    try {
      await worker.launch()
    } catch (cause) {
      await this.#store.close()
      throw cause
    }
    this.#worker = worker
  }

  async run(id: string, input: Input, options: WaitOptions = {}): Promise<Output> {
    await untilAborted(() => this.start(id, input), options.signal)
    return await this.result(id, options)
  }

  async start(id: string, input: Input): Promise<void> {
    const workflowID = this.#workflowId(id)
    const text = toJsonText(input, `The input of the run "${id}"`)
    const { queue: queueName, workflow: workflowName } = this.#names
    const version = this.#version === undefined ? {} : { appVersion: this.#version }
    const how = { queueName, workflowName, workflowID, workflowIDReusePolicy: 'reject', ...version } as const
    const { client, ask } = this.#store
    const isDone = async () => {
      try {
        await client.enqueue<(text?: string) => Promise<unknown>>(how, ...(text === undefined ? [] : [text]))
      } catch (cause) {
        if ((cause as Error).name !== 'DBOSWorkflowIDInUseError') throw cause
        const workflow = await client.getWorkflow(workflowID)
        if (workflow === undefined) return false
        assertSameInput(id, inputOf(workflow), input)
      }
      return true
    }
    // An ended run with this id may just be removed. Its id is then free.
    while (!(await ask(isDone))) this.#assertOpen()
  }

  async result(id: string, { signal }: WaitOptions = {}): Promise<Output> {
    const workflowId = this.#workflowId(id)
    try {
      for (;;) {
        await this.#results.wait(workflowId, signal)
        const cause = this.#causes.get(workflowId)
        const status = await untilAborted(() => this.status(id), signal)
        if (status === undefined) throw unknownRun(id)
        if (status.state === 'cancelled') throw runCancelled(id)
        if (status.state === 'failed' && status.failure !== undefined) throw runFailed(id, status.failure, cause)
        // In any other state, the run was started after the first check, so it is awaited again.
        if (status.state === 'finished') return status.output as Output
      }
    } finally {
      if (!this.#results.isAwaited(workflowId)) this.#causes.delete(workflowId)
    }
  }

  async signal(id: string, name: string, value: unknown): Promise<void> {
    this.#workflowId(id)
    await this.#store.ask(() => decide(this.#store, this.#names, id, name, value))
  }

  async status(id: string): Promise<RunStatus<Input, Output> | undefined> {
    this.#workflowId(id)
    return await readRun(this.#store, this.#names, id)
  }

  async list(options: ListOptions = {}): Promise<readonly RunStatus<Input, Output>[]> {
    this.#assertOpen()
    return await readRuns(this.#store, this.#names, options)
  }

  health(): Promise<EngineHealth> {
    return toHealth(async () => {
      this.#assertOpen()
      await this.#store.pool.query('SELECT 1')
      this.#worker?.assertLooking()
    })
  }

  async stats(): Promise<EngineStats> {
    this.#assertOpen()
    return await this.#store.ask(() => readStats(this.#store.pool, this.#names))
  }

  async cancel(id: string): Promise<void> {
    const workflowId = this.#workflowId(id)
    const { client, ask } = this.#store
    await ask(async () => {
      const workflow = await client.getWorkflow(workflowId)
      if (workflow === undefined) throw unknownRun(id)
      // DBOS itself would also cancel a run that was given up.
      if (!isOver(workflow)) await client.cancelWorkflow(workflowId)
    })
    this.#worker?.stop(workflowId, runCancelled(id))
    this.#results.wake()
  }

  async retry(id: string): Promise<void> {
    const workflowId = this.#workflowId(id)
    const { client, pool, ask } = this.#store
    await ask(async () => {
      const workflow = await client.getWorkflow(workflowId)
      if (workflow === undefined) throw unknownRun(id)
      if (!isOver(workflow)) return await release(pool, this.#names, workflowId)
      if (workflow.status !== CRASHED) throw runEnded(id)
      await client.resumeWorkflow(workflowId, { queueName: this.#names.queue })
    })
  }

  async remove(id: string): Promise<void> {
    this.#workflowId(id)
    await this.#store.ask(() => remove(this.#store, this.#names, id))
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#results.close()
      try {
        await this.#worker?.close()
      } finally {
        await this.#store.close()
        this.#giveUp()
      }
    })()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw engineClosed()
  }

  #workflowId(id: string): string {
    this.#assertOpen()
    assertRunId(id)
    return this.#names.workflowId(id)
  }
}
