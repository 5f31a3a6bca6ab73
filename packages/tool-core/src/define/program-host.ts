/** Extends the host of nested calls for tools that run a program elsewhere, e.g. in a sandbox. */
import { type CallOptions, nestedHostOf } from './context.ts'
import type { NestedCall, NestedHost } from './nested.ts'
import type { Tool } from './tool.ts'

export interface ProgramCall extends NestedCall {
  /** The tool to call. Default: the tool of the run with this name. */
  readonly tool?: Tool | undefined
  /** Version of the tool's schema. A replay that makes the call with another version is refused. */
  readonly version?: string | undefined
  /** Text for the person who approves the call, if the call requires approval. */
  readonly note?: string | undefined
}

export interface ProgramHost extends NestedHost {
  call(request: ProgramCall): Promise<unknown>
  /** Creates a value once and records it, so that a replay gets the same value. Must be called before the first call. */
  record<Value>(key: string, create: () => Value): Promise<Value>
  /** Sets a function that resolves when the program can't continue without another result. Default: waits for the next macrotask. */
  onDrain(drained: () => Promise<void>): void
  /** Stops the program, because its replay differs from the recording. `difference` describes what has changed. */
  refuse(difference: string): void
}

/** Returns the host of a tool's nested calls. Undefined if no agent called the tool, or if the host can't run programs. */
export function programHostOf(context: CallOptions): ProgramHost | undefined {
  const host = nestedHostOf(context) as Partial<ProgramHost> | undefined
  return host?.onDrain === undefined ? undefined : (host as ProgramHost)
}
