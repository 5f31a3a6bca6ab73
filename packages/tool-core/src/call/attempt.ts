/** One piece of a call's work, an execution or a hook, held to the tool's deadline. */

import type { Tool } from '../define/tool.ts'
import { type CallOptions, createContext, type ToolContext } from './context.ts'
import { withDeadline } from './deadline.ts'

/** One call on its way through the stages. */
export interface Run {
  readonly tool: Tool
  readonly options: CallOptions
  /** Its arguments are the output of another step, which may have more members than this one declares. */
  readonly isFedByAnother?: boolean | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000

/** Settles as `work` does, or rejects with `timeout` or `aborted`. What `work` reports after that is dropped. */
export function attempt<T>(
  { tool, options }: Run,
  subject: string,
  work: (context: ToolContext) => T | Promise<T>,
): T | Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool
  return withDeadline((watch) => work(createContext(options, watch)), { subject, timeoutMs, signal: options.signal })
}
