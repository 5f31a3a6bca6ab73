/** One piece of a call's work, an execution or a hook, held to the tool's deadline. */
import { CallContext, type CallOptions, type ToolContext } from './context.ts'
import { type Watch, withDeadline } from './deadline.ts'
import type { Tool } from './tool.ts'

/** One call on its way through the stages. */
export interface Run {
  readonly tool: Tool
  readonly options: CallOptions
}

const DEFAULT_TIMEOUT_MS = 60_000

/** Settles as `work` does, or rejects with `timeout` or `aborted`. What `work` reports after that is dropped. */
export function attempt<T>(
  { tool, options }: Run,
  subject: string,
  work: (context: ToolContext) => T | Promise<T>,
): T | Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool
  const start = (watch: Watch) => work(new AttemptContext(options, watch))
  return withDeadline(start, { subject, timeoutMs, signal: options.signal })
}

/** The context of one attempt, whose signal also fires at its deadline. */
class AttemptContext extends CallContext {
  readonly #watch: Watch

  constructor(options: CallOptions, watch: Watch) {
    super(options)
    this.#watch = watch
  }

  override get signal(): AbortSignal {
    return this.#watch.signal()
  }

  protected override report(update: unknown): void {
    if (!this.#watch.isOver()) super.report(update)
  }
}
