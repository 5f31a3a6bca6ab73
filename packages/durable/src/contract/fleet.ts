/** Starts and kills the worker processes of a case, and replaces those that die. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poll } from './case.ts'
import type { ContractHarness } from './harness.ts'
import { type Note, type Row, readNotes, readRows } from './log.ts'
import { NOTES, type WorkerSettings } from './world.ts'

export class Fleet {
  readonly #harness: ContractHarness
  readonly #settings: WorkerSettings
  readonly #folder = mkdtempSync(join(tmpdir(), 'contract-'))
  readonly #workers = new Set<ChildProcess>()
  readonly #failures: string[] = []
  #size = 0
  #kills = 0

  constructor(harness: ContractHarness, settings: Omit<WorkerSettings, 'folder'>) {
    this.#harness = harness
    this.#settings = { ...settings, folder: this.#folder }
  }

  /** Number of processes that have been killed, by themselves or by this class. */
  get kills(): number {
    return this.#kills
  }

  get notes(): readonly Note[] {
    return readNotes(join(this.#folder, NOTES))
  }

  get rows(): readonly Row[] {
    return readRows(this.#folder)
  }

  /** Error messages of the processes that ended without being killed. */
  get failures(): readonly string[] {
    return this.#failures
  }

  /** Keeps `size` workers running, and replaces each one that dies. Resolves when the workers that it starts now are ready. */
  async keep(size: number): Promise<void> {
    this.#size = size
    const started: Promise<void>[] = []
    while (this.#workers.size < size) started.push(this.#start())
    await Promise.all(started)
  }

  /** Returns the running worker that has run the longest. */
  oldest(): ChildProcess {
    const [worker] = this.#workers
    if (worker === undefined) throw new Error('No worker is running.')
    return worker
  }

  /** Suspends a worker, as if its machine were suspended. */
  async stall(worker: ChildProcess): Promise<void> {
    worker.kill('SIGSTOP')
    await this.untilStalled(worker)
  }

  /** Resolves once none of the worker's code is running. */
  async untilStalled(worker: ChildProcess): Promise<void> {
    const stat = `/proc/${worker.pid}/stat`
    if (existsSync(stat)) await poll(async () => /\) T /.test(readFileSync(stat, 'utf8')))
  }

  kill(worker: ChildProcess): Promise<void> {
    const gone = goneOf(worker)
    worker.kill('SIGKILL')
    return gone
  }

  /** Waits until this many workers have been killed. Another worker may notice a death first, and end the runs of the dead one. */
  async untilKilled(count: number): Promise<void> {
    await poll(async () => this.#kills >= count)
    assert.equal(this.#kills, count)
  }

  /** Kills all workers without replacing them. */
  async killAll(): Promise<void> {
    this.#size = 0
    await Promise.all([...this.#workers].map((worker) => this.kill(worker)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killAll()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #start(): Promise<void> {
    const worker = this.#harness.startWorker(JSON.stringify(this.#settings))
    this.#workers.add(worker)
    let words = ''
    worker.stderr?.on('data', (piece) => {
      words += piece
    })
    return await new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.once('message', () => resolve())
      worker.once('close', (code, signal) => {
        this.#workers.delete(worker)
        if (signal === 'SIGKILL') this.#kills++
        else this.#failures.push(`A worker ended (${signal ?? code}): ${words}`)
        if (signal === 'SIGKILL') resolve()
        else reject(new Error(this.#failures.at(-1)))
        if (this.#workers.size < this.#size) this.#start().catch((cause) => this.#failures.push(String(cause)))
      })
    })
  }
}

function goneOf(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => worker.once('close', () => resolve()))
}
