/** What a tool that runs a program outside its own function, such as in a sandbox, needs from the host of its nested calls. */
import { type CallOptions, nestedHostOf } from './context.ts'
import type { NestedCall, NestedHost } from './nested.ts'
import type { Tool } from './tool.ts'

export interface ProgramCall extends NestedCall {
  /** The tool to call. Default: the tool of the run with this name. */
  readonly tool?: Tool | undefined
  /** Version of the tool's schema. A repetition of the call with another version is refused. */
  readonly version?: string | undefined
}

export interface ProgramHost extends NestedHost {
  call(request: ProgramCall): Promise<unknown>
  /** Creates a value once and records it, so that a repetition gets the same one. Must be called before the first call. */
  record<Value>(key: string, create: () => Value): Promise<Value>
  /** Sets a function that resolves when the program has run as far as it can without another result. Default: the next macrotask. */
  onDrain(drained: () => Promise<void>): void
  /** Stops the program, because it can't be repeated as it was recorded. `difference` says what has changed. */
  refuse(difference: string): void
}

/** Returns the host of a tool's nested calls. Undefined if no agent called the tool, or if the host can't run programs. */
export function programHostOf(context: CallOptions): ProgramHost | undefined {
  const host = nestedHostOf(context) as Partial<ProgramHost> | undefined
  return host?.onDrain === undefined ? undefined : (host as ProgramHost)
}
