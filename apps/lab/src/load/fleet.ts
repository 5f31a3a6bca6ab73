/** Starts the processes of a load test, replaces workers that die, and kills them. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Settings } from './clients.ts'
import type { Server } from './engines.ts'
import { addKill } from './log.ts'

/** This file is bundled into `dist/load.js`. */
const PROGRAM = join(import.meta.dirname, 'load-process.js')
/** Number of replacements in a row that may end before they are ready. The last of them isn't replaced. */
const MAX_STARTS = 5

export interface FleetOptions {
  readonly server: Server
  readonly name: string
  readonly log: string
  /** Maximum number of concurrent runs in a worker. */
  readonly concurrency?: number
  /** Flags of Node for workers. */
  readonly flags?: readonly string[]
}

export class Fleet {
  /** Ids of the workers that this class has killed. */
  readonly killed = new Set<number>()
  /** How workers ended that this class hasn't killed, with their last output. */
  readonly crashes: string[] = []
  readonly #options: FleetOptions
  readonly #workers = new Set<ChildProcess>()
  #size = 0

  constructor(options: FleetOptions) {
    this.#options = options
    // Before the folder of the runs is removed.
    process.prependListener('exit', () => {
      for (const worker of this.#workers) worker.kill('SIGKILL')
    })
  }

  /** Keeps this many workers running. Resolves when the ones that are started now are ready. Rejects if one ends before. */
  async keep(size: number): Promise<void> {
    this.#size = size
    const started: Promise<unknown>[] = []
    while (this.#workers.size < size) started.push(this.#start())
    await Promise.all(started)
  }

  killOne(): void {
    const workers = [...this.#workers]
    this.#kill(workers[Math.floor(Math.random() * workers.length)])
  }

  async killAll(): Promise<void> {
    this.#size = 0
    const ended = [...this.#workers].map((worker) => once(worker, 'close'))
    for (const worker of this.#workers) this.#kill(worker)
    await Promise.all(ended)
  }

  /** Runs a client process to its end. Rejects if it fails. */
  async client(settings: Pick<Settings, 'role' | 'runs' | 'decider'>): Promise<void> {
    const { child, output } = this.#fork(settings)
    const [code, signal] = await once(child, 'close')
    if (code !== 0) throw new Error(`A client ended (${signal ?? code}): ${output()}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killAll()
  }

  #kill(worker: ChildProcess | undefined): void {
    if (worker?.pid === undefined) return
    addKill(this.#options.log, worker.pid)
    this.killed.add(worker.pid)
    worker.kill('SIGKILL')
  }

  /** Replaces a worker that has ended. */
  async #replace(): Promise<void> {
    for (let starts = 0; starts < MAX_STARTS && this.#workers.size < this.#size; starts++) {
      try {
        return await this.#start()
      } catch {
        // It is in `crashes`.
      }
    }
  }

  /** Resolves when the worker is ready or was killed. Rejects if it ends by itself before it is ready. */
  #start(): Promise<void> {
    const { server } = this.#options
    const port = server.takePort?.()
    const { child, output } = this.#fork({ role: 'work', port })
    this.#workers.add(child)
    return new Promise((resolve, reject) => {
      let isReady = false
      child.once('message', () => {
        isReady = true
        resolve()
      })
      child.once('close', (code, signal) => {
        this.#workers.delete(child)
        if (port !== undefined) server.leavePort?.(port)
        const isKilled = this.killed.has(child.pid ?? 0)
        const crash = `${signal ?? code}: ${output()}`
        if (!isKilled) this.crashes.push(crash)
        if (!isReady && !isKilled) return reject(new Error(`A worker ended before it was ready, ${crash}`))
        void this.#replace()
        resolve()
      })
    })
  }

  #fork(more: Pick<Settings, 'role' | 'port' | 'runs' | 'decider'>) {
    const { server, name, log, concurrency, flags = [] } = this.#options
    const settings: Settings = { place: server.place, name, log, concurrency, ...more }
    const child = fork(PROGRAM, [JSON.stringify(settings)], { execArgv: [...flags], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-1000)
    })
    return { child, output: () => output }
  }
}
