/** A model's call of a tool, and what became of it. */

import type { ArgumentTag } from '../args/prepare.ts'
import { nearestNames } from '../define/name.ts'
import { isTool, type OutputOf, type Tool } from '../define/tool.ts'
import { ToolError } from '../errors.ts'
import { boundOutput, type OutputTag } from '../output/output.ts'
import type { ToolMap } from '../source/source.ts'
import { assertApproved } from './approval.ts'
import { attempt, type Run } from './attempt.ts'
import { approveOf, type CallOptions, isContext, signalOf } from './context.ts'
import { toFailure } from './failure.ts'
import { ownCopy } from './own-copy.ts'
import { assertContext, finish, prepare, reported } from './pipeline.ts'

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

/** Finds the tool that a call names, and calls it. Never rejects; throws `invalid_definition` for tools that are no Map. */
export function dispatch(tools: ToolMap, call: ToolCall, options?: CallOptions): Promise<ToolResult> {
  if (typeof tools?.get !== 'function' || typeof tools.keys !== 'function') throw new ToolError('invalid_definition', NO_MAP)
  const name: unknown = call?.name
  const tool = typeof name === 'string' ? tools.get(name) : undefined
  if (tool !== undefined) return callTool(tool, call, options)
  return Promise.resolve({ ok: false, call, error: unknownTool(name, tools.keys()) })
}

const NO_MAP =
  'dispatch: tools is no Map of tools by name. Write new Map(tools.map((tool) => [tool.name, tool])); of a registry, registry.execute(call).'

/** A call that may be executed: its arguments are checked, and the hooks before the execution have run. */
export interface PreparedCall<T extends Tool = Tool> {
  readonly ok: true
  readonly tool: T
  readonly call: ToolCall
  /** What `executePrepared` executes, as the schema and the hooks made it. */
  readonly args: object
  /**
   * What an approver is shown: `args`. Where a schema that transforms would refuse its own result, or change it again, what it was given.
   */
  readonly shown: object
  /** What was changed in the arguments before they were checked. */
  readonly tags: readonly ArgumentTag[]
}

/**
 * Prepares the arguments of a call, asks for an approval where the tool needs one, and executes it. Never rejects. Hooks, validation and
 * execution are held to the tool's `timeoutMs`; `options.approve` has no deadline, because a person may decide: pass `signal` to give up.
 */
export async function callTool<T extends Tool>(
  tool: T,
  call: ToolCall,
  options: CallOptions = {},
): Promise<ToolResult<OutputOf<T>>> {
  let run: Run | undefined
  try {
    run = toRun(tool, call, options)
    const prepared = prepare(run, call.args)
    const { args, shown, tags } = prepared instanceof Promise ? await prepared : prepared
    const approved = tool.needsApproval ? await assertApproved(run, args, shown) : args
    const given = finish(run, approved)
    return succeed<T>(run, call, given instanceof Promise ? await given : given, tags)
  } catch (thrown) {
    return await fail(tool, call, run, thrown)
  }
}

/**
 * The first half of `callTool`: coerces and checks the arguments, by way of the hooks that come before an execution. Never rejects, and
 * executes nothing. For whoever asks for approvals: what was shown can be executed later, and is executed as it was shown.
 */
export async function prepareCall<T extends Tool>(
  tool: T,
  call: ToolCall,
  options: CallOptions = {},
): Promise<PreparedCall<T> | ToolFailure> {
  let run: Run | undefined
  try {
    run = toRun(tool, call, options)
    const { args, shown, tags } = await prepare(run, call.args)
    const own = ownCopy(args)
    return { ok: true, tool, call, args: own, shown: shown === args ? own : ownCopy(shown), tags }
  } catch (thrown) {
    return await fail(tool, call, run, thrown)
  }
}

/**
 * The second half: executes what was prepared, with a copy of `prepared.args`. It asks for no approval of the call, and only the
 * context is checked again, since another process may have prepared it. Never rejects.
 */
export async function executePrepared<T extends Tool>(
  prepared: Pick<PreparedCall<T>, 'tool' | 'call' | 'args' | 'tags'>,
  options: CallOptions = {},
): Promise<ToolResult<OutputOf<T>>> {
  // Of a caller without types.
  const { tool, call, args, tags } = prepared ?? ({} as typeof prepared)
  let run: Run | undefined
  try {
    run = toRun(tool, call, options)
    await assertContext(run)
    // A tool may change its arguments, and whoever tries again executes the same.
    return succeed<T>(run, call, await finish(run, ownCopy(args)), tags)
  } catch (thrown) {
    return await fail(tool, call, run, thrown)
  }
}

async function fail(tool: Tool, call: ToolCall, run: Run | undefined, thrown: unknown): Promise<ToolFailure> {
  if (run !== undefined) return { ok: false, call, error: await reported(run, thrown) }
  return { ok: false, call, error: toFailure(isTool(tool) ? tool : { name: '' }, thrown) }
}

function succeed<T extends Tool>(
  run: Run,
  call: ToolCall,
  returned: unknown,
  tags: readonly ArgumentTag[],
): ToolSuccess<OutputOf<T>> | Promise<ToolSuccess<OutputOf<T>>> {
  const { value, tags: outputTags } = boundOutput(returned, run.tool.maxOutputLength)
  const result = { ok: true as const, call, output: value as OutputOf<T>, tags, outputTags }
  return run.tool.toModel === undefined ? result : observed(run, result, returned)
}

/**
 * With what `toModel` makes of the output as it was returned. When it fails, the call has succeeded all the same: a model that was
 * told otherwise would repeat a write.
 */
async function observed<Success extends ToolSuccess>(run: Run, result: Success, output: unknown): Promise<Success> {
  const { tool } = run
  try {
    const observation = await attempt(run, `toModel of "${tool.name}"`, () => tool.toModel?.(output))
    const { value, tags } = boundOutput(observation, tool.maxOutputLength)
    return { ...result, observation: value, outputTags: tags }
  } catch (thrown) {
    return { ...result, observationError: toFailure(tool, thrown) }
  }
}

/** Field by field: the options may be the context of an outer call, and what is made in its name is another effect. */
function toRun(tool: Tool, call: ToolCall, options: CallOptions): Run {
  if (!isTool(tool))
    throw new ToolError('invalid_definition', 'The tool of a call is not one. Pass what defineTool or defineAction returned.')
  const { idempotencyKey, values } = options
  const progress = options.progress && ((update: unknown) => options.progress?.(update))
  const own: CallOptions = {
    callId: call.id,
    idempotencyKey: idempotencyKey && isContext(options) ? `${idempotencyKey}/${call.id}` : idempotencyKey,
    signal: signalOf(options),
    values,
    progress,
    approve: approveOf(options),
  }
  return { tool, options: own }
}

/** For a name that no tool has: with the nearest one, and those that there are. */
export function unknownTool(wrong: unknown, all: Iterable<string>): ToolError {
  const name = typeof wrong === 'string' ? wrong.slice(0, 100) : ''
  const names = [...all]
  const [nearest] = nearestNames(name, names, 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  const known = names.length === 0 ? 'There are no tools.' : `Tools: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`
  const what = typeof wrong === 'string' ? `There is no tool ${JSON.stringify(name)}.${hint}` : NAMELESS
  return new ToolError('unknown_tool', `${what} ${known}`)
}

const MAX_LISTED = 20

/** Such as a call as a provider sends it. */
const NAMELESS = 'The call has no name. A call is { id, name, args }, with parsed args; an adapter reads them out of replies.'
