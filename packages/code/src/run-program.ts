/** Runs a program of a model: passes its calls to the host and the results to the sandbox. */
import {
  checkArgs,
  deriveTool,
  digestOf,
  type HostedProgram,
  nearestNames,
  type ProgramCall,
  type ProgramHost,
  type ProgramResult,
  type ProgramTurn,
  type Tool,
  ToolError,
} from '@x/tool-core'
import type { CallableTools } from './callable.ts'
import { CodeError, type ProgramCallCode, type ProgramReason } from './errors.ts'
import type { DataFlow } from './flow.ts'
import type { Limits } from './limits.ts'
import type { ProgramPlace } from './place.ts'
import { CODE_CHANGED, endNote, failureText, LOG_CUT, START_CHANGED, unavailable, withConsole } from './prompts.ts'
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
  readonly #tools = new Map<string, AvailableTool>()
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
      return OVER
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

  async #handle(first: SandboxReport, results: readonly ProgramResult[]): Promise<ProgramTurn> {
    const { flow, place } = this.#parts
    const { received } = first
    for (const { n, tool, ok, json } of results.slice(0, received)) {
      flow?.deliver(tool, JSON.parse(json))
      const call = this.#open.get(n)
      this.#open.delete(n)
      if (call === undefined || call.tool.effect === 'read') continue
      this.#hasChanged ||= ok || !(await isNotRun(call, JSON.parse(json).code))
    }
    const made: ProgramCall[] = []
    const refusals: ProgramResult[] = []
    const refused: string[] = []
    for (let report = first; ; report = await place.receive(refusals.map(toText))) {
      const { calls, log = '', isCut = false, end } = report
      this.#log += isCut && !this.#log.endsWith(LOG_CUT) ? log + LOG_CUT : log
      if (report !== first) refusals.splice(0, report.received)
      // A program that was stopped makes no further calls.
      if (end?.cause === undefined || end.cause === 'thrown' || end.cause === 'output') {
        const loaded = await Promise.all(calls.map(([, name]) => this.#tools.get(name) ?? this.#load(name)))
        for (const [index, [n, name, args]] of calls.entries()) {
          const found = loaded[index] as LoadedTool
          if ('failure' in found) {
            refused.push(name)
            refusals.push({ n, tool: name, ok: false, json: JSON.stringify(found.failure) })
          } else made.push(this.#toCall(n, args, found))
        }
      }
      if (this.#isOver) return OVER
      if (end !== undefined) {
        this.#end(end, refusals)
        return { received, calls: made, refused, isOver: true }
      }
      // The program may continue with the error of a refused call before any other call has a result.
      if (refusals.length === 0) return { received, calls: made, refused }
    }
  }

  #toCall(n: number, args: unknown, { tool, version }: AvailableTool): ProgramCall {
    const note = this.#parts.flow?.noteFor(tool.name, args)
    const call = { n, tool: note === undefined ? tool : deriveTool(tool, { needsApproval: true }), args, version, note }
    this.#open.set(n, call)
    return call
  }

  async #load(name: string): Promise<LoadedTool> {
    const { callable } = this.#parts
    if (!callable.has(name)) return failed(name, 'unknown_tool', unknownTool(name, callable.names))
    try {
      const tool = await callable.load(name)
      const loaded = { tool, version: await callable.versionOf(tool) }
      this.#tools.set(name, loaded)
      return loaded
    } catch {
      return failed(name, 'tool_unavailable', unavailable(name))
    }
  }

  /** `refusals` are the errors of calls that the program hasn't received. */
  #end(end: ProgramEnd, refusals: readonly ProgramResult[]): void {
    if (this.#isOver) return
    if (end.cause === undefined) {
      const log = this.#log
      const open = [...this.#open.values()].map(({ tool }) => tool.name)
      const note = endNote(
        end,
        open,
        refusals.map(({ json }) => JSON.parse(json)),
      )
      this.#resolve({ result: end.output, ...(log !== '' && { console: log }), ...(note !== '' && { note }) })
      this.#close()
    } else this.#stop(REASONS[end.cause], end)
  }

  #stop(reason: ProgramReason, end: Partial<FailedEnd>): void {
    const hasChanged = this.#hasChanged || [...this.#open.values()].some(({ tool }) => tool.effect !== 'read')
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

type LoadedTool = AvailableTool | { readonly failure: object }

interface AvailableTool {
  readonly tool: Tool
  readonly version: string
}

function failed(tool: string, code: ProgramCallCode | 'unknown_tool', message: string): LoadedTool {
  return { failure: { code, message, tool, issues: [] } }
}

/**
 * True if a failed call was certainly not run. `invalid_arguments` alone doesn't show that: a tool that was run can throw it too, such as
 * a `parallel` action of which one step refuses its arguments. So the arguments themselves must be invalid.
 */
async function isNotRun({ tool, args }: ProgramCall, code: string): Promise<boolean> {
  if (code === 'rejected' || code === 'recursive_call') return true
  // A hook can repair the arguments, and the validator of another library may decide differently each time.
  if (code !== 'invalid_arguments' || tool.parse !== undefined || tool.hooks?.beforeValidate !== undefined) return false
  return await checkArgs(tool, args as object).then(
    () => false,
    () => true,
  )
}

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

/** Describes what has changed since the program started. The record may come from a client. */
function differenceOf(start: Partial<Start> | null, code: string): string | undefined {
  if (!Number.isFinite(start?.now) || !Number.isSafeInteger(start?.seed)) return START_CHANGED
  return start?.code === code ? undefined : CODE_CHANGED
}

function toText({ n, ok, json }: Pick<ProgramResult, 'n' | 'ok' | 'json'>): string {
  return `[${n},${ok},${json}]`
}

function unknownTool(name: string, names: readonly string[]): string {
  const [nearest] = nearestNames(name, names)
  return `There is no tool "${name.slice(0, 100)}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`
}
