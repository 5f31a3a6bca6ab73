/** The one way from a call's arguments to an output, for tools and actions alike: a stage without work is passed over. */
import type { ActionHooks } from './action.ts'
import { CallContext, type CallOptions } from './context.ts'
import { withDeadline } from './deadline.ts'
import { ToolError, type ToolErrorCode } from './errors.ts'
import { toModelText } from './model-text.ts'
import { type ArgumentTag, prepareArgs } from './prepare.ts'
import type { Tool } from './tool.ts'
import { type Issue, renderIssues, validate } from './validate.ts'

const DEFAULT_TIMEOUT_MS = 60_000

export interface PipelineResult<Output> {
  readonly output: Output
  readonly tags: readonly ArgumentTag[]
}

/**
 * coerce → beforeValidate → validate → afterValidate → beforeExecute → execute → beforeValidateOutput → validate output →
 * afterValidateOutput → afterExecute. `onError` is called once, after retries. Rejects with `ToolError` only.
 */
export async function runPipeline<Output>(
  tool: Tool<string, object, Output>,
  args: object,
  options: CallOptions,
): Promise<PipelineResult<Output>> {
  const context = CallContext.from(options)
  try {
    const prepared = prepareArgs(tool.args, args)
    assertNoIssues(prepared.issues, 'invalid_arguments', `Invalid arguments for "${tool.name}"`)
    const checked = await checkArgs(tool, prepared.args, context)
    await assertContext(tool, context)
    const ready = await runHook(tool, 'beforeExecute', checked, context)
    const output = await checkOutput(tool, await execute(tool, ready as object, options), context)
    return { output: (await runHook(tool, 'afterExecute', output, context)) as Output, tags: prepared.tags }
  } catch (thrown) {
    const error = toToolError(tool, thrown)
    await reportError(tool, error, context)
    throw error
  }
}

async function checkArgs(tool: Tool, args: unknown, context: CallContext): Promise<unknown> {
  const given = await runHook(tool, 'beforeValidate', args, context)
  assertNoIssues(await validate(tool.args, given), 'invalid_arguments', `Invalid arguments for "${tool.name}"`)
  return runHook(tool, 'afterValidate', given, context)
}

async function checkOutput(tool: Tool, output: unknown, context: CallContext): Promise<unknown> {
  if (tool.output === undefined) return output
  const given = await runHook(tool, 'beforeValidateOutput', output, context)
  assertNoIssues(
    await validate(tool.output, given),
    'invalid_output',
    `"${tool.name}" returned an output that does not fit its schema`,
  )
  return runHook(tool, 'afterValidateOutput', given, context)
}

async function assertContext(tool: Tool, { values }: CallContext): Promise<void> {
  if (tool.context === undefined) return
  const issues = await validate(tool.context, values)
  assertNoIssues(
    issues,
    'invalid_context',
    `"${tool.name}" cannot run here: a value that the application must provide is missing or wrong`,
  )
}

/** One attempt, and more while the error says that the same call may succeed. */
async function execute(tool: Tool, args: object, options: CallOptions): Promise<unknown> {
  const { maxRetries = 0, timeoutMs = DEFAULT_TIMEOUT_MS, name } = tool
  const subject = `"${name}"`
  for (let attempt = 0; ; attempt++) {
    try {
      const attemptOnce = (signal: () => AbortSignal) => tool.execute(args, new AttemptContext(options, signal))
      return await withDeadline(attemptOnce, { subject, timeoutMs, signal: options.signal })
    } catch (error) {
      if (attempt >= maxRetries || !mayRepeat(tool, error) || options.signal?.aborted) throw error
    }
  }
}

/** The context of one attempt, whose signal also fires at the deadline. */
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

async function runHook(
  tool: Tool,
  name: Exclude<keyof ActionHooks, 'onError'>,
  value: unknown,
  context: CallContext,
): Promise<unknown> {
  const hook = tool.hooks?.[name] as ((value: unknown, context: CallContext) => unknown) | undefined
  if (hook === undefined) return value
  try {
    return (await hook.call(tool.hooks, value, context)) ?? value
  } catch (cause) {
    throw new ToolError('hook_failed', `"${tool.name}" failed in its ${name} hook: ${toModelText(cause)}`, { cause })
  }
}

/** The hook's own failure never hides the error that it was called for: it is attached to it. */
async function reportError(tool: Tool, error: ToolError, context: CallContext): Promise<void> {
  try {
    await tool.hooks?.onError?.(error, context)
  } catch (hookError) {
    Object.defineProperty(error, 'hookError', { value: hookError, enumerable: true })
  }
}

function assertNoIssues(issues: readonly Issue[], code: ToolErrorCode, prefix: string): void {
  if (issues.length > 0) throw new ToolError(code, `${prefix}: ${renderIssues(issues)}.`, { issues })
}

function toToolError(tool: Tool, thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown
  return new ToolError('execution_failed', `"${tool.name}" failed: ${toModelText(thrown)}`, {
    cause: thrown,
    retryable: isRetryable(thrown),
  })
}

/** After a timeout nobody knows whether the effect took place, so only a tool that says it is harmless is repeated. */
function mayRepeat({ effect }: Tool, error: unknown): boolean {
  if (error instanceof ToolError && error.code === 'timeout') return effect === 'read' || effect === 'idempotent'
  return isRetryable(error)
}

function isRetryable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { retryable?: unknown }).retryable === true
}
