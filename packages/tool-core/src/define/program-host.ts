/** Extends the host of nested calls for tools that run a program elsewhere, e.g. in a sandbox. */
import { type CallOptions, nestedHostOf } from './context.ts'
import type { NestedHost } from './nested.ts'
import type { Tool } from './tool.ts'

/** A call by a program. The program has its own numbers for its calls. */
export interface ProgramCall {
  readonly n: number
  readonly name: string
  /** Undefined for a call that is refused. */
  readonly tool?: Tool | undefined
  /** Why the tool can't be called. Recorded, so that a replay gets the same refusal even if the tool is available by then. */
  readonly refusal?: ProgramRefusal | undefined
  /** The arguments, as JSON data that is never changed. */
  readonly args: unknown
  /** Version of the tool's schema. If it has changed, a replay rejects with `agent_changed`. */
  readonly version?: string | undefined
  /** Text for the person who approves the call, if the call requires approval. */
  readonly note?: string | undefined
}

export interface ProgramRefusal {
  /** `unknown_tool`, or `tool_unavailable` for a tool that can't be loaded now. */
  readonly code: 'unknown_tool' | 'tool_unavailable'
  readonly message: string
  /** The error that occurred when the tool was loaded. Not recorded. */
  readonly cause?: unknown
}

/** The result of a call. */
export interface ProgramResult {
  /** Number of the call in the program. */
  readonly n: number
  readonly tool: string
  readonly ok: boolean
  /** The output as JSON, or the error of the call: an object with `message`, `code`, `reason`, `issues` and `tool`. */
  readonly json: string
}

/** What a program did before it ended or had to wait for a result. */
export interface ProgramTurn {
  /** Number of results that the program has received. */
  readonly received: number
  readonly calls: readonly ProgramCall[]
  /** True if the program has ended. It receives no more results. */
  readonly isOver?: boolean | undefined
  /** Name of the limit that ended the program, e.g. `limits.timeMs`. The run is held if the program had made more calls before. */
  readonly exceeded?: string | undefined
  /** What has changed since the program was recorded, if it can't be replayed. Nothing is executed then. */
  readonly difference?: string | undefined
}

/** A program that runs elsewhere. It must make the same calls whenever it receives the same results in the same order. */
export interface HostedProgram<Start = unknown> {
  /** Creates the values that the program starts with. They are recorded, so that a replay gets the same values. */
  create(): Promise<Start>
  /** Starts the program. Must not reject. */
  start(values: Start): Promise<ProgramTurn>
  /**
   * Passes the results to the program in this order, and runs it as far as possible after each. Stops after the first result after which the
   * program has made a call. Must not reject.
   */
  receive(results: readonly ProgramResult[]): Promise<ProgramTurn>
}

export interface ProgramHost extends NestedHost {
  /** Runs a program: makes its calls, and passes their results to it, until it ends or has to wait for a decision. */
  run<Start>(program: HostedProgram<Start>): void
}

/** Returns the host of a tool's nested calls. Undefined if no agent called the tool, or if the host can't run programs. */
export function programHostOf(context: CallOptions): ProgramHost | undefined {
  const host = nestedHostOf(context) as Partial<ProgramHost> | undefined
  return host?.run === undefined ? undefined : (host as ProgramHost)
}
