/** Runs a program in a worker that can be terminated, or in the caller's thread. */
import { LONGEST_TIMER } from '@x/tool-core'
import { CodeError } from './errors.ts'
import type { SandboxOptions, SandboxReport } from './sandbox/protocol.ts'
import type { Sandbox } from './sandbox/sandbox.js'
import { acquireThread, type Thread } from './thread.ts'

/** Runs one program. `start` and `receive` return what it did until it ended or couldn't continue without another result. */
export interface ProgramPlace {
  start(code: string, options: SandboxOptions): Promise<SandboxReport>
  /** `results`: each is the JSON of `[n, isOk, value]`. */
  receive(results: readonly string[]): SandboxReport | Promise<SandboxReport>
  /** Stops the program. A pending `start` or `receive` may never resolve. */
  close(): void
}

/** Maximum time for starting a worker, loading the engine and reading a program, in milliseconds. */
const START_MS = 120_000
/** Additional time for the worker to reply after the program's own limit, in milliseconds. */
const GRACE_MS = 500

const OUT_OF_TIME: SandboxReport = { received: 0, calls: [], end: { cause: 'time' } }
const CRASHED: SandboxReport = { received: 0, calls: [], end: { cause: 'crash' } }

/** Runs the program in a worker, and terminates the worker if it doesn't answer in time. */
export class WorkerPlace implements ProgramPlace {
  #thread: Thread | undefined
  #isClosed = false
  #timeMs = 0

  async start(code: string, options: SandboxOptions): Promise<SandboxReport> {
    this.#timeMs = options.limits.timeMs
    this.#thread = await acquireThread()
    if (this.#isClosed) {
      this.#thread.release()
      return CRASHED
    }
    this.#thread.post({ code, options })
    const early = await this.#answer(START_MS)
    return early ?? (await this.#within())
  }

  receive(results: readonly string[]): Promise<SandboxReport> {
    this.#thread?.post({ results })
    return this.#within()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#thread?.release()
  }

  /** The engine in the worker enforces the limit. Only a worker that doesn't respond is terminated here. */
  async #within(): Promise<SandboxReport> {
    return (await this.#answer(this.#timeMs + GRACE_MS)) ?? CRASHED
  }

  /** Returns the next report. Undefined if the worker replies only that the program starts. */
  async #answer(waitMs: number): Promise<SandboxReport | undefined> {
    const thread = this.#thread
    if (thread === undefined) return CRASHED
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), Math.min(waitMs, LONGEST_TIMER))
    })
    const reply = await Promise.race([thread.next(), timeout])
    clearTimeout(timer)
    if (reply === 'late') {
      thread.terminate()
      return OUT_OF_TIME
    }
    if (reply === undefined) return CRASHED
    if ('isReady' in reply) return undefined
    if ('report' in reply) return JSON.parse(reply.report)
    thread.terminate()
    if (reply.isMissing) throw missingEngine(reply.failure)
    return CRASHED
  }
}

/** Runs the program in the caller's thread, which a program can block for longer than its limit. */
export class InlinePlace implements ProgramPlace {
  #sandbox: Sandbox | undefined
  #isClosed = false

  async start(code: string, options: SandboxOptions): Promise<SandboxReport> {
    const { startProgram } = await import('./sandbox/sandbox.js')
    const { sandbox, report } = await startProgram(code, options).catch((cause: Error) => {
      throw cause.name === 'EngineMissing' ? missingEngine(cause) : cause
    })
    this.#sandbox = sandbox
    if (this.#isClosed) sandbox?.close()
    return JSON.parse(report)
  }

  receive(results: readonly string[]): SandboxReport {
    return this.#sandbox === undefined ? CRASHED : JSON.parse(this.#sandbox.receive(results))
  }

  close(): void {
    this.#isClosed = true
    this.#sandbox?.close()
  }
}

/** Throws `missing_package` if Node can't find the WebAssembly file. In a browser, this is checked when a program runs. */
export function assertInstalled(): void {
  try {
    resolveInNode('quickjs-wasi/quickjs.wasm')
  } catch (cause) {
    throw missingEngine(cause)
  }
}

/** False if Node can't find the package that removes types from a program. Always true in a browser. */
export function canRemoveTypes(): boolean {
  try {
    resolveInNode('ts-blank-space')
    return true
  } catch {
    return false
  }
}

function resolveInNode(specifier: string): void {
  const module = globalThis.process?.getBuiltinModule?.('node:module')
  module?.createRequire(import.meta.url).resolve(specifier)
}

function missingEngine(cause: unknown): CodeError {
  return new CodeError(
    'missing_package',
    "quickjs-wasi can't be loaded. Install it: npm i quickjs-wasi. In a browser, also pass the URL of its quickjs.wasm as `wasm`.",
    { cause },
  )
}
