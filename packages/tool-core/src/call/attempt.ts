/** Runs one part of a call, such as an execution or a hook, within the tool's deadline. */

import { type CallOptions, createContext, type ToolContext } from '../define/context.ts'
import type { Tool } from '../define/tool.ts'
import { withDeadline } from './deadline.ts'

/** A call's tool and options, which every stage of the call receives. */
export interface Invocation {
  readonly tool: Tool
  readonly options: CallOptions
  /** True if the args are the output of another step, which may have undeclared members. */
  readonly isFedByAnother?: boolean | undefined
}

/** Default of `timeoutMs`. */
export const DEFAULT_TIMEOUT_MS = 60_000

/** Runs `work` and settles with its result, or rejects with `timeout` or `aborted`. Progress that `work` reports after that is dropped. */
export function attempt<T>(
  { tool, options }: Invocation,
  subject: string,
  work: (context: ToolContext) => T | Promise<T>,
  timeoutMs = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS,
): T | Promise<T> {
  return withDeadline((deadline) => work(createContext(options, deadline)), { subject, timeoutMs, signal: options.signal })
}
