/** The one way from a call's arguments to an output, for tools and actions alike: a stage without work is passed over. */
import { CallContext, type CallOptions } from './context.ts'
import { withDeadline } from './deadline.ts'
import { isToolError, ToolError, type ToolErrorCode } from './errors.ts'
import type { ActionHooks } from './hooks.ts'
import { toModelText } from './model-text.ts'
import { type ArgumentTag, prepareArgs } from './prepare.ts'
import type { Tool } from './tool.ts'
import { type Issue, renderIssues, validate } from './validate.ts'

const DEFAULT_TIMEOUT_MS = 60_000

export interface PipelineResult {
  readonly output: unknown
  readonly tags: readonly ArgumentTag[]
}

/** One call on its way through the stages. */
interface Run {
  readonly tool: Tool
  readonly options: CallOptions
  readonly context: CallContext
}

/**
 * coerce → beforeValidate → validate → afterValidate → beforeExecute → execute → beforeValidateOutput → validate output →
 * afterValidateOutput → afterExecute. `onError` is called once, after retries. Each hook is held to the tool's deadline, as
 * each attempt is. Rejects with `ToolError` only.
 */
export async function runPipeline(tool: Tool, args: object, options: CallOptions): Promise<PipelineResult> {
  const run: Run = { tool, options, context: CallContext.from(options) }
  try {
    const prepared = prepareArgs(tool.args, args)
    assertNoIssues(prepared.issues, 'invalid_arguments', `Invalid arguments for "${tool.name}"`)
    const checked = await checkArgs(run, prepared.args)
    await assertContext(run)
    const ready = await runHook(run, 'beforeExecute', checked)
    const output = await checkOutput(run, await execute(run, ready as object))
    return { output: await runHook(run, 'afterExecute', output), tags: prepared.tags }
  } catch (thrown) {
    const error = toToolError(tool, thrown)
    await reportError(run, error)
    throw error
  }
}

async function checkArgs(run: Run, args: unknown): Promise<unknown> {
  const { tool } = run
  const given = await runHook(run, 'beforeValidate', args)
  assertNoIssues(await validate(tool.args, given), 'invalid_arguments', `Invalid arguments for "${tool.name}"`)
  return runHook(run, 'afterValidate', given)
}

async function checkOutput(run: Run, output: unknown): Promise<unknown> {
  const { tool } = run
  if (tool.output === undefined) return output
  const given = await runHook(run, 'beforeValidateOutput', output)
  assertNoIssues(
    await validate(tool.output, given),
    'invalid_output',
    `"${tool.name}" returned an output that does not fit its schema`,
  )
  return runHook(run, 'afterValidateOutput', given)
}

async function assertContext({ tool, context }: Run): Promise<void> {
  if (tool.context === undefined) return
  const issues = await validate(tool.context, context.values)
  assertNoIssues(
    issues,
    'invalid_context',
    `"${tool.name}" cannot run here: a value that the application must provide is missing or wrong`,
  )
}

/** One attempt, and more while the error says that the same call may succeed. */
async function execute({ tool, options }: Run, args: object): Promise<unknown> {
  const { maxRetries = 0 } = tool
  for (let attempt = 0; ; attempt++) {
    try {
      const attemptOnce = (signal: () => AbortSignal) => tool.execute(args, new AttemptContext(options, signal))
      return await withDeadline(attemptOnce, { subject: `"${tool.name}"`, timeoutMs: timeoutOf(tool), signal: options.signal })
    } catch (error) {
      if (attempt >= maxRetries || !mayRepeat(tool, error) || options.signal?.aborted) throw error
    }
  }
}

function timeoutOf({ timeoutMs = DEFAULT_TIMEOUT_MS }: Tool): number {
  return timeoutMs
}

/** The context of one attempt or hook, whose signal also fires at its deadline. */
class AttemptContext extends CallContext {
  readonly #signalOf: () => AbortSignal

  constructor(options: CallOptions, signalOf: () => AbortSignal) {
    super(options)
    this.#signalOf = signalOf
  }

  override get signal(): AbortSignal {
    return this.#signalOf()
  }
}

async function runHook(run: Run, name: Exclude<keyof ActionHooks, 'onError'>, value: unknown): Promise<unknown> {
  const { tool, options } = run
  const hook = tool.hooks?.[name] as ((value: unknown, context: CallContext) => unknown) | undefined
  if (hook === undefined) return value
  const { signal } = options
  try {
    const deadline = { subject: `the ${name} hook of "${tool.name}"`, timeoutMs: timeoutOf(tool), signal }
    const call = (ownSignal: () => AbortSignal) => hook.call(tool.hooks, value, new AttemptContext(options, ownSignal))
    return (await withDeadline(call, deadline)) ?? value
  } catch (cause) {
    if (signal?.aborted && isToolError(cause) && cause.code === 'aborted') throw cause
    throw new ToolError('hook_failed', `"${tool.name}" failed in its ${name} hook: ${toModelText(cause)}`, { cause })
  }
}

/** The hook's own failure never hides the error that it was called for: it is attached to it. */
async function reportError({ tool, context }: Run, error: ToolError): Promise<void> {
  try {
    // Without the caller's signal: what was aborted wants its compensation too.
    const deadline = { subject: `the onError hook of "${tool.name}"`, timeoutMs: timeoutOf(tool) }
    const { callId, idempotencyKey, values, progress } = context
    const call = (ownSignal: () => AbortSignal) =>
      tool.hooks?.onError?.(error, new AttemptContext({ callId, idempotencyKey, values, progress }, ownSignal))
    await withDeadline(call, deadline)
  } catch (hookError) {
    // Reflect does not throw when the tool threw a frozen error.
    Reflect.defineProperty(error, 'hookError', { value: hookError, enumerable: true, configurable: true })
  }
}

function assertNoIssues(issues: readonly Issue[], code: ToolErrorCode, prefix: string): void {
  if (issues.length > 0) throw new ToolError(code, `${prefix}: ${renderIssues(issues)}.`, { issues })
}

function toToolError(tool: Tool, thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown
  return new ToolError('execution_failed', `"${tool.name}" failed: ${toModelText(thrown)}`, {
    cause: thrown,
    retryable: isRetryable(thrown),
  })
}

/** After a timeout nobody knows whether the effect took place, so only a tool that says it is harmless is repeated. */
function mayRepeat({ effect }: Tool, error: unknown): boolean {
  if (isToolError(error) && error.code === 'timeout') return effect === 'read' || effect === 'idempotent'
  return isRetryable(error)
}

/** Asks in a try: a thrown proxy or getter may throw itself. */
function isRetryable(thrown: unknown): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as { retryable?: unknown }).retryable === true
  } catch {
    return false
  }
}
