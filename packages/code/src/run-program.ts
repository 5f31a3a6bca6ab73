/** Runs a program of a model: passes its calls to the host and the results to the sandbox. */
import {
  checkArgs,
  deriveTool,
  digestOf,
  type HostedProgram,
  type ProgramCall,
  type ProgramHost,
  type ProgramResult,
  type ProgramTurn,
  type Tool,
  ToolError,
} from '@x/tool-core'
import type { CallableTools } from './callable.ts'
import { CodeError, type ProgramReason } from './errors.ts'
import type { DataFlow } from './flow.ts'
import type { Limits } from './limits.ts'
import type { ProgramPlace } from './place.ts'
import {
  CODE_CHANGED,
  endNote,
  failureText,
  LOG_CUT,
  MAX_NAME,
  START_CHANGED,
  unavailable,
  unknownTool,
  withConsole,
} from './prompts.ts'
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
  /** Note about calls left open, unhandled errors, or a missing return. */
  readonly note?: string | undefined
}

/** Recorded before a program starts, so that a repeated run gets the same values. */
interface Start {
  readonly now: number
  readonly seed: number
  /** Digest of the program's text. */
  readonly code: string
}

export function runProgram(code: string, parts: ProgramParts): Promise<CodeOutput> {
  return new ProgramRun(code, parts).run()
}

class ProgramRun implements HostedProgram<Start> {
  readonly #code: string
  readonly #parts: ProgramParts
  readonly #tools = new Map<string, LoadedTool>()
  #log = ''
  /** Calls whose result the program hasn't received, by number. */
  readonly #open = new Map<number, ProgramCall>()
  /** True if one of the other calls may have changed something. */
  #hasChanged = false
  #isOver = false
  #resolve: (output: CodeOutput) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(code: string, parts: ProgramParts) {
    this.#code = code
    this.#parts = parts
  }

  run(): Promise<CodeOutput> {
    const { host, signal } = this.#parts
    const ended = new Promise<CodeOutput>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal.addEventListener('abort', () => this.#close(), { once: true })
    host.run(this)
    return ended
  }

  async create(): Promise<Start> {
    return { now: Date.now(), seed: Math.floor(Math.random() * 2 ** 32), code: await digestOf(this.#code) }
  }

  async start(start: Start): Promise<ProgramTurn> {
    const { place, limits, wasm } = this.#parts
    const difference = differenceOf(start, await digestOf(this.#code))
    if (difference !== undefined) return { ...OVER, difference }
    if (this.#code.length > limits.codeLength) {
      this.#stop('program_too_long', { length: this.#code.length })
      return { ...OVER, exceeded: 'limits.codeLength' }
    }
    return await this.#turn(() => place.start(this.#code, { limits, now: start.now, seed: start.seed, wasm }))
  }

  receive(results: readonly ProgramResult[]): Promise<ProgramTurn> {
    return this.#turn(() => this.#parts.place.receive(results.map(toText)), results)
  }

  async #turn(work: () => SandboxReport | Promise<SandboxReport>, results: readonly ProgramResult[] = []): Promise<ProgramTurn> {
    try {
      return await this.#handle(await work(), results)
    } catch (error) {
      this.#fail(error)
      // A programmer's mistake, which the model can't fix: the run rejects.
      if (error instanceof CodeError) throw error
      return OVER
    }
  }

  async #handle(report: SandboxReport, results: readonly ProgramResult[]): Promise<ProgramTurn> {
    const { received, calls, log = '', isCut = false, end } = report
    const { flow } = this.#parts
    for (const { n, ok, json } of results.slice(0, received)) {
      const { tool, args } = this.#open.get(n) ?? {}
      this.#open.delete(n)
      if (tool === undefined) continue
      flow?.deliver(tool.name, JSON.parse(json))
      if (tool.effect !== 'read') this.#hasChanged ||= ok || !(await isNotRun(tool, args, JSON.parse(json).code))
    }
    this.#log += isCut && !this.#log.endsWith(LOG_CUT) ? log + LOG_CUT : log
    const made: ProgramCall[] = []
    // A program that was stopped makes no further calls.
    if (end?.cause === undefined || end.cause === 'thrown' || end.cause === 'output') {
      const loaded = await Promise.all(calls.map(([, name]) => this.#tools.get(name) ?? this.#load(name)))
      for (const [index, [n, name, args]] of calls.entries()) made.push(this.#toCall(n, name, args, loaded[index] as LoadedTool))
    }
    if (this.#isOver) return OVER
    if (end === undefined) return { received, calls: made }
    this.#end(end)
    return { received, calls: made, isOver: true, exceeded: end.cause && LIMITS[end.cause] }
  }

  #toCall(n: number, name: string, args: unknown, { tool, version, refusal }: LoadedTool): ProgramCall {
    const note = tool && this.#parts.flow?.noteFor(name, args)
    const asking = note === undefined ? tool : deriveTool(tool as Tool, { needsApproval: true })
    // Only a refused call can have a long name.
    const call = { n, name: name.slice(0, MAX_NAME).toWellFormed(), tool: asking, args, version, note, refusal }
    this.#open.set(n, call)
    return call
  }

  async #load(name: string): Promise<LoadedTool> {
    const { callable } = this.#parts
    if (!callable.has(name)) return { refusal: { code: 'unknown_tool', message: unknownTool(name, callable.names) } }
    try {
      const tool = await callable.load(name)
      const loaded = { tool, version: await callable.versionOf(tool) }
      this.#tools.set(name, loaded)
      return loaded
    } catch (cause) {
      return { refusal: { code: 'tool_unavailable', message: unavailable(name), cause } }
    }
  }

  #end(end: ProgramEnd): void {
    if (this.#isOver) return
    if (end.cause === undefined) {
      const log = this.#log
      const open = [...this.#open.values()]
      const left = open.flatMap(({ name, refusal }) => (refusal === undefined ? name : []))
      const refused = open.flatMap(({ name, refusal }) => (refusal === undefined ? [] : { tool: name, message: refusal.message }))
      const note = endNote(end, left, refused)
      this.#resolve({ result: end.output, ...(log !== '' && { console: log }), ...(note !== '' && { note }) })
      this.#close()
    } else this.#stop(REASONS[end.cause], end)
  }

  #stop(reason: ProgramReason, end: Partial<FailedEnd>): void {
    const hasChanged =
      this.#hasChanged || [...this.#open.values()].some(({ tool }) => tool !== undefined && tool.effect !== 'read')
    const text = withConsole(failureText(reason, end, this.#parts.limits, hasChanged), this.#log)
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

/** Either a tool with the version of its schema, or the reason why it can't be called. */
type LoadedTool = Pick<ProgramCall, 'tool' | 'version' | 'refusal'>

/**
 * True if a failed call was certainly not run. `invalid_arguments` alone doesn't show that: a tool that was run can throw it too, such as
 * a `parallel` action of which one step refuses its arguments. So the arguments themselves must be invalid.
 */
async function isNotRun(tool: Tool, args: unknown, code: string): Promise<boolean> {
  if (NOT_RUN.includes(code)) return true
  // A hook can repair the arguments, and the validator of another library may decide differently each time.
  if (code !== 'invalid_arguments' || tool.parse !== undefined || tool.hooks?.beforeValidate !== undefined) return false
  return await checkArgs(tool, args as object).then(
    () => false,
    () => true,
  )
}

const NOT_RUN: readonly string[] = ['rejected', 'recursive_call', 'unknown_tool', 'tool_unavailable']

const OVER: ProgramTurn = { received: 0, calls: [], isOver: true }

const REASONS: Readonly<Record<EndCause, ProgramReason>> = {
  syntax: 'syntax_error',
  thrown: 'program_failed',
  waits: 'never_ends',
  time: 'time_limit',
  memory: 'memory_limit',
  calls: 'too_many_calls',
  output: 'output_too_large',
  crash: 'sandbox_failed',
}

/** The limits that end a program. */
const LIMITS: Readonly<Partial<Record<EndCause, string>>> = {
  time: 'limits.timeMs',
  memory: 'limits.memoryBytes',
  calls: 'limits.calls',
  output: 'limits.outputLength',
}

/** Describes what has changed since the program started. The record may come from a client. */
function differenceOf(start: Partial<Start> | null, code: string): string | undefined {
  if (!Number.isFinite(start?.now) || !Number.isSafeInteger(start?.seed)) return START_CHANGED
  return start?.code === code ? undefined : CODE_CHANGED
}

function toText({ n, ok, json }: Pick<ProgramResult, 'n' | 'ok' | 'json'>): string {
  return `[${n},${ok},${json}]`
}
