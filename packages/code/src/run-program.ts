/** Runs a program: makes its calls, and delivers their results in the order in which the host delivers them. */
import { deriveTool, nearestNames, type ProgramHost, type Tool, ToolError } from '@x/tool-core'
import { type CallableTools, digestOf } from './callable.ts'
import type { ProgramCallCode, ProgramReason } from './errors.ts'
import type { DataFlow } from './flow.ts'
import type { Limits } from './limits.ts'
import type { ProgramPlace } from './place.ts'
import { ALLOWED_CHANGED, CODE_CHANGED, failureText, LOG_CUT, START_CHANGED, unavailable, withConsole } from './prompts.ts'
import type { EndCause, FailedEnd, ProgramEnd, SandboxReport } from './sandbox/protocol.ts'

export interface ProgramParts {
  readonly host: ProgramHost
  readonly place: ProgramPlace
  readonly callable: CallableTools
  readonly limits: Limits
  readonly wasm: string | undefined
  readonly signal: AbortSignal
  readonly flow: DataFlow | undefined
}

export interface CodeOutput {
  /** The value that the program returned. */
  readonly result: unknown
  /** The text that the program wrote to the console. Absent if it wrote nothing. */
  readonly console?: string | undefined
}

/** Recorded before a program starts, so that a repeated run gets the same values. */
interface Start {
  readonly now: number
  readonly seed: number
  /** Digest of the program's text. */
  readonly code: string
  /** Digest of the names of the tools that the program may call. */
  readonly allowed: string
}

export function runProgram(code: string, parts: ProgramParts): Promise<CodeOutput> {
  return new ProgramRun(code, parts).run()
}

class ProgramRun {
  readonly #code: string
  readonly #parts: ProgramParts
  readonly #tools = new Map<string, Promise<LoadedTool>>()
  /** The queue of work in the sandbox. Settles when the program can't continue without another result. */
  #last: Promise<void> = Promise.resolve()
  #log = ''
  #hasCalled = false
  #isOver = false
  #resolve: (output: CodeOutput) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(code: string, parts: ProgramParts) {
    this.#code = code
    this.#parts = parts
  }

  run(): Promise<CodeOutput> {
    const { host, place, limits, signal } = this.#parts
    const ended = new Promise<CodeOutput>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (this.#code.length > limits.codeLength) {
      this.#stop('program_too_long', { length: this.#code.length })
      return ended
    }
    signal.addEventListener('abort', () => this.#close(), { once: true })
    host.onDrain(() => this.#drained())
    this.#enqueue(() => this.#start(place))
    return ended
  }

  async #start(place: ProgramPlace): Promise<SandboxReport | undefined> {
    const { host, callable, limits, wasm } = this.#parts
    const [code, allowed] = await Promise.all([digestOf(this.#code), digestOf(callable.names)])
    const start = await host.record<Start>('start', () => ({ now: Date.now(), seed: newSeed(), code, allowed }))
    const difference = differenceOf(start, code, allowed)
    if (difference !== undefined) {
      host.refuse(difference)
      return undefined
    }
    return await place.start(this.#code, { limits, now: start.now, seed: start.seed, wasm })
  }

  /** Resolves when every report has been handled. Handling a report may deliver the refusal of a call, which leads to another report. */
  async #drained(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last
      await last
    }
  }

  #enqueue(work: () => Promise<SandboxReport | undefined>): void {
    this.#last = this.#last
      .then(async () => {
        const report = this.#isOver ? undefined : await work()
        if (report !== undefined && !this.#isOver) await this.#handle(report)
      })
      .catch((error) => this.#fail(error))
  }

  async #handle({ calls, waiting, log, isCut, end }: SandboxReport): Promise<void> {
    this.#log += isCut && !this.#log.endsWith(LOG_CUT) ? log + LOG_CUT : log
    // A program that was stopped makes no further calls.
    const isStopped = end?.cause !== undefined && end.cause !== 'thrown' && end.cause !== 'output'
    if (!isStopped && calls.length > 0) {
      const loaded = await Promise.all(calls.map(([, name]) => this.#load(name)))
      if (this.#isOver) return
      for (const [index, [n, name, json]] of calls.entries()) this.#make(n, name, json, loaded[index] as LoadedTool)
    }
    if (end !== undefined) this.#end(end)
    else if (waiting === 0) this.#stop('never_ends', {})
  }

  #make(n: number, name: string, json: string, { tool, version, failure }: LoadedTool): void {
    if (failure !== undefined) this.#deliver(n, false, { ...failure, tool: name, issues: [] })
    else {
      this.#hasCalled = true
      const args = JSON.parse(json) as object
      const note = this.#parts.flow?.noteFor(name, args)
      const called = note === undefined ? tool : deriveTool(tool as Tool, { needsApproval: true })
      this.#parts.host.call({ name, args, tool: called, version, note }).then(
        (output) => this.#deliver(n, true, output, name),
        ({ message, code, reason, issues = [] }) => this.#deliver(n, false, { message, code, reason, issues, tool: name }, name),
      )
    }
  }

  #deliver(n: number, isOk: boolean, value: unknown, name = ''): void {
    this.#parts.flow?.deliver(name, value)
    this.#enqueue(() => this.#parts.place.settle(n, isOk, JSON.stringify(value) ?? 'null'))
  }

  #load(name: string): Promise<LoadedTool> {
    const known = this.#tools.get(name)
    if (known !== undefined) return known
    const loaded = this.#find(name)
    this.#tools.set(name, loaded)
    return loaded
  }

  async #find(name: string): Promise<LoadedTool> {
    const { callable } = this.#parts
    if (!callable.has(name)) return { failure: { code: 'unknown_tool', message: unknownTool(name, callable.names) } }
    try {
      const tool = await callable.load(name)
      return { tool, version: await callable.versionOf(tool) }
    } catch {
      this.#tools.delete(name)
      return { failure: { code: 'tool_unavailable', message: unavailable(name) } }
    }
  }

  #end(end: ProgramEnd): void {
    if (this.#isOver) return
    if (end.cause === undefined) {
      const log = this.#log
      this.#resolve({ result: JSON.parse(end.output), ...(log !== '' && { console: log }) })
      this.#close()
    } else this.#stop(REASONS[end.cause], end)
  }

  #stop(reason: ProgramReason, end: Partial<FailedEnd>): void {
    const text = withConsole(failureText(reason, end, this.#parts.limits, this.#hasCalled), this.#log)
    this.#fail(new ToolError('execution_failed', text, { reason }))
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#reject(error)
    this.#close()
  }

  #close(): void {
    this.#isOver = true
    this.#parts.place.close()
  }
}

interface LoadedTool {
  readonly tool?: Tool | undefined
  readonly version?: string | undefined
  readonly failure?: { readonly code: ProgramCallCode | 'unknown_tool'; readonly message: string } | undefined
}

const REASONS: Readonly<Record<EndCause, ProgramReason>> = {
  syntax: 'syntax_error',
  thrown: 'program_failed',
  time: 'time_limit',
  memory: 'memory_limit',
  calls: 'too_many_calls',
  output: 'output_too_large',
  crash: 'sandbox_failed',
}

/** Describes what has changed since the program started. The record may come from a client. */
function differenceOf(start: Partial<Start> | null, code: string, allowed: string): string | undefined {
  if (!Number.isFinite(start?.now) || !Number.isSafeInteger(start?.seed)) return START_CHANGED
  if (start?.code !== code) return CODE_CHANGED
  return start.allowed === allowed ? undefined : ALLOWED_CHANGED
}

function unknownTool(name: string, names: readonly string[]): string {
  const [nearest] = nearestNames(name, names)
  return `There is no tool "${name.slice(0, 100)}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}
