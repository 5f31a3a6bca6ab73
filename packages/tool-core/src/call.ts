/** A model's call of a tool, and what became of it. */
import { attempt, type Run } from './attempt.ts'
import { approveOf, type CallOptions, isContext, signalOf } from './context.ts'
import type { ToolError } from './errors.ts'
import { toFailure } from './failure.ts'
import { boundOutput, type OutputTag } from './output.ts'
import { runPipeline } from './pipeline.ts'
import type { ArgumentTag } from './prepare.ts'
import type { ToolMap } from './source.ts'
import type { OutputOf, Tool } from './tool.ts'
import { unknownTool } from './unknown-tool.ts'

/** A model's request to run one tool: arguments parsed, not yet validated. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What became of a call. A failure is a value, so that the model can read it. */
export type ToolResult<Output = unknown> = ToolSuccess<Output> | ToolFailure

export interface ToolSuccess<Output = unknown> {
  readonly ok: true
  readonly call: ToolCall
  /** As JSON keeps it: `undefined` is `null`, and what JSON cannot hold is converted or described, each with a tag. */
  readonly output: Output
  /** What the model sees in place of the output; only where the tool has `toModel`. */
  readonly observation?: unknown
  /** Why there is none although the tool has `toModel`. The call itself succeeded. */
  readonly observationError?: ToolError
  /** What was changed in the arguments before they were checked. */
  readonly tags: readonly ArgumentTag[]
  /** What was changed in the output, or in the observation, to make it a bounded JSON value. */
  readonly outputTags: readonly OutputTag[]
}

export interface ToolFailure {
  readonly ok: false
  readonly call: ToolCall
  readonly error: ToolError
}

/** Finds the tool that a call names, and calls it. Never rejects. */
export function dispatch(tools: ToolMap, call: ToolCall, options?: CallOptions): Promise<ToolResult> {
  const name: unknown = call?.name
  const tool = typeof name === 'string' ? tools.get(name) : undefined
  if (tool !== undefined) return callTool(tool, call, options)
  return Promise.resolve({ ok: false, call, error: unknownTool(name, tools.keys()) })
}

/**
 * Validates the arguments of a call, then executes the tool within its deadline. Never rejects. Hooks, validation and execution are held
 * to the tool's `timeoutMs`; `options.approve` has no deadline, because a person may decide: pass `signal` to give up.
 */
export async function callTool<T extends Tool>(
  tool: T,
  call: ToolCall,
  options: CallOptions = {},
): Promise<ToolResult<OutputOf<T>>> {
  try {
    const own = optionsOf(call, options)
    const { output: returned, tags } = await runPipeline(tool, call.args, own)
    const { value, tags: outputTags } = boundOutput(returned, tool.maxOutputLength)
    const result = { ok: true as const, call, output: value as OutputOf<T>, tags, outputTags }
    return tool.toModel === undefined ? result : { ...result, ...(await observe({ tool, options: own }, returned)) }
  } catch (thrown) {
    return { ok: false, call, error: toFailure(tool, thrown) }
  }
}

/**
 * What `toModel` makes of the output as it was returned. When it fails, the call has succeeded all the same: a model that was
 * told otherwise would repeat a write.
 */
async function observe(
  run: Run,
  output: unknown,
): Promise<Partial<Pick<ToolSuccess, 'observation' | 'observationError' | 'outputTags'>>> {
  const { tool } = run
  try {
    const observation = await attempt(run, `toModel of "${tool.name}"`, () => tool.toModel?.(output))
    const { value, tags } = boundOutput(observation, tool.maxOutputLength)
    return { observation: value, outputTags: tags }
  } catch (thrown) {
    return { observationError: toFailure(tool, thrown) }
  }
}

/** Field by field: the options may be the context of an outer call, and what is made in its name is another effect. */
function optionsOf(call: ToolCall, options: CallOptions): CallOptions {
  const { idempotencyKey, values } = options
  const progress = options.progress && ((update: unknown) => options.progress?.(update))
  return {
    callId: call.id,
    idempotencyKey: idempotencyKey && isContext(options) ? `${idempotencyKey}/${call.id}` : idempotencyKey,
    signal: signalOf(options),
    values,
    progress,
    approve: approveOf(options),
  }
}
