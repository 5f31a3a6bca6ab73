/**
 * The Restate engine. The server stores the runs and calls workers, which are processes that have an engine with the same name.
 */
import { loadModules } from '@x/react-agent/steps'
import { checkDecision } from '../engine/check-decision.ts'
import { assertKey } from '../engine/closing-steps.ts'
import type { DurableEngine, EngineHealth, EngineStats, ListOptions, RunStatus, WaitOptions } from '../engine/engine.ts'
import { HEALTH_MS, toHealth } from '../engine/health.ts'
import {
  assertRunId,
  assertSameDecision,
  assertSameInput,
  engineClosed,
  notEnded,
  runCancelled,
  runEnded,
  runFailed,
  unknownRun,
} from '../engine/run-errors.ts'
import {
  readDecision,
  readInput,
  readNamedDecision,
  readOutput,
  toDecisionText,
  toInputText,
  toNamedDecision,
} from './envelopes.ts'
import { assertFits } from './fitting.ts'
import { resumeInterrupted } from './interrupted.ts'
import { findInput } from './journal-entries.ts'
import { type CheckedOptions, checkOptions, type RestateEngineOptions } from './options.ts'
import { connectServer, type RestateServer } from './restate-server.ts'
import { findDecides, findDecision, findInvocation, findRun, findWaits, listRuns, readStats } from './run-rows.ts'
import { type RestateWorker, startWorker } from './worker.ts'

/**
 * Connects to a Restate server. With `fn`, the engine is also a worker that executes the runs of the service `name`. Rejects with
 * `invalid_options` or `missing_package`, and with `engine_failed` if the server doesn't answer or can't reach the worker.
 */
export async function createRestateEngine<Input, Output>(
  options: RestateEngineOptions<Input, Output>,
): Promise<DurableEngine<Input, Output>> {
  const checked = checkOptions(options)
  const engine = new RestateEngine<Input, Output>(checked)
  try {
    await engine.open(checked)
    return engine
  } catch (cause) {
    await engine.close()
    throw cause
  }
}

class RestateEngine<Input, Output> implements DurableEngine<Input, Output> {
  readonly #name: string
  readonly #maxRecordBytes: number
  readonly #server: RestateServer
  readonly #controller = new AbortController()
  #worker: RestateWorker | undefined
  #closed: Promise<void> | undefined

  constructor(options: CheckedOptions<Input, Output>) {
    this.#name = options.name
    this.#maxRecordBytes = options.maxRecordBytes
    this.#server = connectServer(options, this.#controller.signal)
  }

  async open(options: CheckedOptions<Input, Output>): Promise<void> {
    await this.#server.meet()
    if (options.fn === undefined) return
    await loadModules()
    this.#worker = await startWorker(options, options.fn)
    await this.#server.register()
    // If this fails, the server continues the runs after their delay.
    resumeInterrupted(this.#server, options.name).catch(() => {})
  }

  async run(id: string, input: Input, options: WaitOptions = {}): Promise<Output> {
    options.signal?.throwIfAborted()
    await this.#start(id, input, options)
    return await this.result(id, options)
  }

  async start(id: string, input: Input): Promise<void> {
    await this.#start(id, input, {})
  }

  async result(id: string, { signal }: WaitOptions = {}): Promise<Output> {
    this.#assertUsable(id)
    const result = await this.#server.result(id, signal)
    if (result.state === 'finished') return readOutput(result.output) as Output
    if (result.state === 'failed') throw runFailed(id, result.failure, this.#worker?.failureOf(id))
    throw result.state === 'cancelled' ? runCancelled(id) : unknownRun(id)
  }

  async signal(id: string, name: string, value: unknown): Promise<void> {
    this.#assertUsable(id)
    assertKey(name)
    const decision = toDecisionText(name, value)
    assertFits(toNamedDecision(name, decision), this.#maxRecordBytes, `The decision for ${JSON.stringify(name)}`)
    const { query } = this.#server
    const run = await this.#find(id)
    const [before, waitsFor] = await Promise.all([findDecision(query, this.#name, id, name), findWaits(query, this.#name, id)])
    if (run === undefined) throw unknownRun(id)
    if (run.isOver) throw runEnded(id)
    if (before !== undefined) {
      assertSameDecision(id, name, readDecision(before), value)
      return
    }
    checkDecision(name, value, waitsFor)
    const { invocation, wasThere } = await this.#server.decide(id, name, decision)
    if (!wasThere) return
    // The decision isn't recorded yet: no worker has received it, or one has only just received it.
    const sent = await findInput(query, invocation)
    if (sent !== undefined) assertSameDecision(id, name, readDecision(readNamedDecision(sent).decision), value)
  }

  async status(id: string): Promise<RunStatus<Input, Output> | undefined> {
    this.#assertUsable(id)
    const { confirmMissing, query } = this.#server
    return (await confirmMissing(id, () => findRun(query, this.#name, id))) as RunStatus<Input, Output> | undefined
  }

  async list(options: ListOptions = {}): Promise<readonly RunStatus<Input, Output>[]> {
    this.#assertOpen()
    return (await listRuns(this.#server.query, this.#name, options)) as readonly RunStatus<Input, Output>[]
  }

  health(): Promise<EngineHealth> {
    return toHealth(async () => {
      this.#assertOpen()
      await this.#server.meet(HEALTH_MS / 2)
    })
  }

  async stats(): Promise<EngineStats> {
    this.#assertOpen()
    return await readStats(this.#server.query, this.#name)
  }

  /**
   * Cancels the run. The server ends it immediately, even without a worker, and closes the connection to a worker that has it.
   */
  async cancel(id: string): Promise<void> {
    this.#assertUsable(id)
    const run = await this.#find(id)
    if (run === undefined) throw unknownRun(id)
    if (!run.isOver) await this.#server.kill(run.invocation)
  }

  /** Resumes a run that is held, also one that has killed its workers. */
  async retry(id: string): Promise<void> {
    this.#assertUsable(id)
    const run = await this.#find(id)
    if (run === undefined) throw unknownRun(id)
    if (run.isOver) throw runEnded(id)
    if (run.isPaused) await this.#server.resume(run.invocation)
  }

  async remove(id: string): Promise<void> {
    this.#assertUsable(id)
    const { query, kill, purge } = this.#server
    const run = await this.#find(id)
    if (run === undefined) return
    if (!run.isOver) throw notEnded(id)
    // Otherwise, the server would treat decisions for a new run with this id as repeated ones, or deliver an old one to it.
    for (const invocation of await findDecides(query, this.#name, id)) {
      await kill(invocation)
      await purge(invocation)
    }
    await purge(run.invocation)
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close()
    await this.#closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #start(id: string, input: Input, { signal }: WaitOptions): Promise<void> {
    this.#assertUsable(id)
    const { query, start, confirmMissing } = this.#server
    const text = assertFits(toInputText(input), this.#maxRecordBytes, `The input of the run "${id}"`)
    for (;;) {
      const { invocation, wasThere } = await start(id, text, signal)
      if (!wasThere) return
      const before = await confirmMissing(id, () => findInput((sql) => query(sql, signal), invocation))
      if (before !== undefined) return assertSameInput(id, readInput(before), input)
      // The server may have deleted only the journal of an ended run. If the run is gone too, its id is free again.
      if ((await this.#find(id)) !== undefined) return
    }
  }

  #find(id: string) {
    return this.#server.confirmMissing(id, () => findInvocation(this.#server.query, this.#name, id))
  }

  async #close(): Promise<void> {
    this.#controller.abort()
    await this.#worker?.close()
  }

  #assertUsable(id: string): void {
    this.#assertOpen()
    assertRunId(id)
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw engineClosed()
  }
}
