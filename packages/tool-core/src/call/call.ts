/** A model's tool call, and its result. */

import type { ArgumentTag } from '../args/coerce.ts'
import { ownCopy } from '../args/own-copy.ts'
import { boundContent } from '../content/bound-content.ts'
import { readContent } from '../content/read-content.ts'
import { approveOf, type CallOptions, isContext, signalOf } from '../define/context.ts'
import { insteadOf } from '../define/name.ts'
import { isTool, type OutputOf, type Tool } from '../define/tool.ts'
import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import { nearestNames } from '../nearest-names.ts'
import { boundOutput, type OutputTag } from '../output/output.ts'
import { namelessCall, noSuchTool } from '../prompts.ts'
import type { ToolMap } from '../source/source.ts'
import { assertApproved } from './approval.ts'
import { attempt, type Invocation } from './attempt.ts'
import { toFailure } from './failure.ts'
import { assertContext, finish, prepare, reported } from './pipeline.ts'

/** A model's request to run one tool. Its arguments are parsed, but not yet validated. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The result of a call. A failure is a value, so that it can be returned to the model. */
export type ToolResult<Output = unknown> = ToolSuccess<Output> | ToolFailure

export interface ToolSuccess<Output = unknown> {
  readonly ok: true
  readonly call: ToolCall
  /** A JSON value: `undefined` becomes `null`. A value without a JSON form is converted or described. */
  readonly output: Output
  /** The arguments that were executed. Present only if they may differ from the arguments of the call. */
  readonly args?: object | undefined
  /** What the model sees instead of the output: content parts, or any other JSON value. Present only if the tool has `toModelOutput`. */
  readonly modelOutput?: unknown
  /** The error that `toModelOutput` threw. `modelOutput` is then unset, but the call itself succeeded. */
  readonly modelOutputError?: ToolError
  /** Changes that were made to the arguments before validation. */
  readonly tags: readonly ArgumentTag[]
  /** Changes that were made to `modelOutput`, if it is set, or else to the output, to make it a bounded JSON value. */
  readonly outputTags: readonly OutputTag[]
  /** True if `output` is only a part of what the tool returned, because the whole is longer than `maxOutputLength`. */
  readonly isTruncated?: true | undefined
}

export interface ToolFailure {
  readonly ok: false
  readonly call: ToolCall
  readonly error: ToolError
}

/** Finds the tool by the name in the call, and calls it. Never rejects. Throws `invalid_definition` if `tools` isn't a Map. */
export function dispatch(tools: ToolMap, call: ToolCall, options?: CallOptions): Promise<ToolResult> {
  if (typeof tools?.get !== 'function' || typeof tools.keys !== 'function')
    throw new ToolError('invalid_definition', noMap(tools))
  const name: unknown = call?.name
  const tool = typeof name === 'string' ? tools.get(name) : undefined
  if (tool !== undefined) return callTool(tool, call, options)
  return Promise.resolve({ ok: false, call, error: unknownTool(name, tools.keys()) })
}

function noMap(given: unknown): string {
  const fix = 'Write new Map(tools.map((tool) => [tool.name, tool])); with a registry, use registry.execute(call).'
  return `dispatch: tools must be a Map of tools by name, got ${describeValue(given)}. ${fix}`
}

/** A call that is ready to be executed. Its arguments are valid, and the hooks that precede the execution have run. */
export interface PreparedCall<T extends Tool = Tool> {
  readonly ok: true
  readonly tool: T
  readonly call: ToolCall
  /** The args that `executePrepared` executes. The schema and the hooks may have changed them. */
  readonly args: object
  /**
   * The args to show to an approver, usually the same as `args`. If the schema transforms its input and would reject or change its own
   * output, these are the args before the transformation.
   */
  readonly shown: object
  /** Changes that were made to the arguments before validation. */
  readonly tags: readonly ArgumentTag[]
}

/**
 * Prepares a call's arguments, requests approval if the tool needs it, and executes the call. Never rejects. The tool's `timeoutMs` applies
 * separately to each hook, to each attempt, and to validation by another library. `options.approve` has no deadline, because a person may
 * have to decide. To cancel, pass `signal`.
 */
export async function callTool<T extends Tool>(
  tool: T,
  call: ToolCall,
  options: CallOptions = {},
): Promise<ToolResult<OutputOf<T>>> {
  let invocation: Invocation | undefined
  try {
    invocation = toInvocation(tool, call, options)
    const prepared = prepare(invocation, call.args)
    const { args, shown, tags } = prepared instanceof Promise ? await prepared : prepared
    const approved = tool.needsApproval ? await assertApproved(invocation, args, shown) : args
    const executed = isAsWritten(tool, tags) ? undefined : ownCopy(approved)
    const given = finish(invocation, approved)
    return succeed<T>(invocation, { call, args: executed, tags }, given instanceof Promise ? await given : given)
  } catch (thrown) {
    return await fail(tool, call, invocation, thrown)
  }
}

/**
 * Performs the first half of `callTool`: coerces and validates the arguments, and runs the hooks that precede the execution. Executes
 * nothing and never rejects. Use it if an approval may take a while, because `executePrepared` then executes exactly the args that were
 * shown.
 */
export async function prepareCall<T extends Tool>(
  tool: T,
  call: ToolCall,
  options: CallOptions = {},
): Promise<PreparedCall<T> | ToolFailure> {
  let invocation: Invocation | undefined
  try {
    invocation = toInvocation(tool, call, options)
    const { args, shown, tags } = await prepare(invocation, call.args)
    const own = ownCopy(args)
    return { ok: true, tool, call, args: own, shown: shown === args ? own : ownCopy(shown), tags }
  } catch (thrown) {
    return await fail(tool, call, invocation, thrown)
  }
}

/**
 * Performs the second half of `callTool`: executes a prepared call with a copy of `prepared.args`. Doesn't request approval. Validates
 * only the context again, because another process may have prepared the call. Never rejects.
 */
export async function executePrepared<T extends Tool>(
  prepared: Pick<PreparedCall<T>, 'tool' | 'call' | 'args' | 'tags'>,
  options: CallOptions = {},
): Promise<ToolResult<OutputOf<T>>> {
  // Untyped code may pass nothing.
  const { tool, call, args, tags } = prepared ?? ({} as typeof prepared)
  let invocation: Invocation | undefined
  try {
    invocation = toInvocation(tool, call, options)
    await assertContext(invocation)
    // A copy, because a tool may change its arguments, and the caller may execute the prepared call again.
    return succeed<T>(invocation, { call, args, tags }, await finish(invocation, ownCopy(args)))
  } catch (thrown) {
    return await fail(tool, call, invocation, thrown)
  }
}

async function fail(tool: Tool, call: ToolCall, invocation: Invocation | undefined, thrown: unknown): Promise<ToolFailure> {
  if (invocation !== undefined) return { ok: false, call, error: await reported(invocation, thrown) }
  return { ok: false, call, error: toFailure(isTool(tool) ? tool : { name: '' }, thrown) }
}

/** True if the tool receives an exact copy of the call's arguments: coercion changed nothing, and no hook or parser can. */
function isAsWritten({ hooks, parse }: Tool, tags: readonly ArgumentTag[]): boolean {
  const { beforeValidate, afterValidate, beforeExecute } = hooks ?? {}
  return tags.length === 0 && (parse ?? beforeValidate ?? afterValidate ?? beforeExecute) === undefined
}

interface Executed {
  readonly call: ToolCall
  /** The arguments that were executed instead of the call's own. Undefined if the call's own arguments were executed. */
  readonly args: object | undefined
  readonly tags: readonly ArgumentTag[]
}

function succeed<T extends Tool>(
  invocation: Invocation,
  { call, args, tags }: Executed,
  returned: unknown,
): ToolSuccess<OutputOf<T>> | Promise<ToolSuccess<OutputOf<T>>> {
  const { value, tags: outputTags } = boundOutput(returned, invocation.tool.maxOutputLength)
  const success = { ok: true as const, call, output: value as OutputOf<T>, tags, outputTags }
  const truncated = outputTags.some(({ tag }) => tag === 'truncated') ? { ...success, isTruncated: true as const } : success
  const result = args === undefined ? truncated : { ...truncated, args }
  return invocation.tool.toModelOutput === undefined ? result : withModelOutput(invocation, result, returned)
}

/**
 * Adds the result of `toModelOutput`, which receives the original output. If `toModelOutput` fails, the call still succeeds, because the
 * model would otherwise repeat a write.
 */
async function withModelOutput<Success extends ToolSuccess>(
  invocation: Invocation,
  result: Success,
  output: unknown,
): Promise<Success> {
  const { tool } = invocation
  try {
    const modelOutput = await attempt(invocation, `toModelOutput of "${tool.name}"`, () => tool.toModelOutput?.(output))
    if (modelOutput === undefined) return result
    const content = readContent(modelOutput)
    if (content !== undefined) {
      const { parts, tags } = boundContent(content, tool)
      return { ...result, modelOutput: parts, outputTags: tags }
    }
    const { value, tags } = boundOutput(modelOutput, tool.maxOutputLength)
    return { ...result, modelOutput: value, outputTags: tags }
  } catch (thrown) {
    return { ...result, modelOutputError: toFailure(tool, thrown) }
  }
}

/**
 * Copies the options field by field. If they are the context of an outer call, the inner call must not inherit the outer idempotency key.
 */
function toInvocation(tool: Tool, call: ToolCall, options: CallOptions): Invocation {
  if (!isTool(tool))
    throw new ToolError('invalid_definition', `The value to call must be a tool, got ${describeValue(tool)}. ${insteadOf(tool)}`)
  const { idempotencyKey, values } = options
  const progress = options.progress && ((update: unknown) => options.progress?.(update))
  const own: CallOptions = {
    callId: call.id,
    idempotencyKey: idempotencyKey && isContext(options) ? `${idempotencyKey}/${call.id}` : idempotencyKey,
    signal: signalOf(options),
    values,
    progress,
    approve: approveOf(options),
    // Not inherited from the context of an outer call, because the outer tool's list of permitted tools doesn't apply to this tool.
    nested: tool.nested === undefined ? undefined : options.nested,
    input: options.input,
  }
  return { tool, options: own }
}

/** Returns an `unknown_tool` error that suggests the nearest name and lists the available tools. */
export function unknownTool(wrong: unknown, all: Iterable<string>): ToolError {
  const names = [...all]
  if (typeof wrong !== 'string') return new ToolError('unknown_tool', namelessCall(names))
  const name = wrong.slice(0, 100)
  const [nearest] = nearestNames(name, names, 1)
  return new ToolError('unknown_tool', noSuchTool(name, nearest, names))
}
