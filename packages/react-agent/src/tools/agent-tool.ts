/** Turns an agent into a tool. The inputs of the agent's signature are the args, and its outputs are the output. */
import { fieldKind, type InputsOf, isOptionalField, type OutputsOf, type Signature } from '@x/adapters'
import { type Effect, nestedHostOf, type Tool, ToolError, type ToolMap } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import { AgentError, type AgentErrorCode, isAgentError } from '../errors.ts'
import type { AgentEvent } from '../events.ts'
import { withFieldValidators } from '../loop/fields-schema.ts'
import type { UnknownCall } from '../loop/outcome.ts'
import { isModelUsage, type ModelUsage } from '../model/spending.ts'
import { INNER, type InnerRun, innerRunOf } from '../nested/inner-run.ts'
import { agentFailed } from '../prompts.ts'
import { define } from './define.ts'

/** The part of an agent that `agentTool` uses. Any object with this shape works. */
export interface ToolAgent<S extends Signature> {
  readonly name: string
  readonly signature: S
  readonly tools: ToolMap
  readonly hasSearch?: boolean | undefined
  run(
    inputs: InputsOf<S>,
    options?: { signal?: AbortSignal | undefined; id?: string | undefined; context?: object | undefined },
  ): PromiseLike<{ readonly outputs: OutputsOf<S>; readonly unknownCalls?: readonly UnknownCall[] | undefined }> & {
    stream?(): AsyncIterable<unknown>
  }
}

export interface AgentToolOptions<Name extends string> {
  name: Name
  description: string
  /** Effect of a whole run. Default: `read` if all tools of the agent are `read` and it has no search, otherwise `write`. */
  effect?: Effect | undefined
  /** Timeout for a run, in milliseconds. `Infinity` disables it. Default: 600,000. */
  timeoutMs?: number | undefined
}

/**
 * Creates a tool that runs the agent.
 *
 * - The signal and the run-scoped values are passed on. The tool declares the values that the agent's tools declare.
 * - The id of the inner run is the call's idempotency key.
 * - If the run fails, the call fails. Its message contains the name of the agent and the error code.
 * - In a run of another agent, the inner run is part of that run. A call that requires approval pauses the outer run, which then lists it
 *   among its pending calls. The inner run records its steps in the journal of the outer run, so it continues where it stopped. Its calls
 *   are events of the outer run with `parentCallId`.
 * - Its usage counts toward the outer run immediately, and the budgets of both runs apply to each request. The usage is also reported as
 *   progress of the call (`ModelUsage`).
 * - The agent's own limits apply to the inner run, such as `maxRepeats` and `maxToolFailures`.
 * - If the tool is called without an agent, an inner call that requires approval makes the call fail.
 * - The tool doesn't close the agent.
 *
 * Throws `invalid_options` for inputs that require tools, and for the effect `idempotent`. Throws like `defineTool` for invalid names and
 * schemas.
 */
export function agentTool<S extends Signature, const Name extends string>(
  agent: ToolAgent<S>,
  options: AgentToolOptions<Name>,
): Tool<Name, InputsOf<S>, OutputsOf<S>> {
  if (typeof agent?.run !== 'function' || typeof options !== 'object' || options === null)
    throw new AgentError(
      'invalid_options',
      'agentTool: the agent or the options are missing or invalid. Await the agent, then write agentTool(agent, { name, description }).',
    )
  const { name, description, effect = effectOfAgent(agent), timeoutMs = 600_000 } = options
  assertRepeatable(name, effect)
  const tool = define({
    name,
    description,
    effect,
    timeoutMs,
    args: argsOf(agent, name),
    context: valuesOf(agent.tools),
    // The tool can't call tools of the outer run, because its agent has its own tools.
    nested: [],
    execute: async (inputs, context) => {
      const { signal, values, idempotencyKey, progress } = context
      const inner = innerRunOf(nestedHostOf(context))
      try {
        const run = agent.run(
          inputs as InputsOf<S>,
          { signal, context: values, id: idempotencyKey || undefined, [INNER]: inner } as object,
        )
        for await (const event of run.stream?.() ?? []) reportUsage(event as AgentEvent, progress)
        const { outputs, unknownCalls = [] } = await run
        inner?.addUnknown(unknownCalls)
        return outputs
      } catch (cause) {
        if (inner !== undefined && isAgentError(cause)) pauseOrReport(cause, inner)
        throw failed(agent.name, cause)
      }
    },
  })
  return tool as unknown as Tool<Name, InputsOf<S>, OutputsOf<S>>
}

/** Returns `write` for an agent with a search, because the search may find any tool. */
function effectOfAgent({ tools, hasSearch }: ToolAgent<Signature>): Effect {
  return hasSearch || [...tools.values()].some(({ effect }) => effect !== 'read') ? 'write' : 'read'
}

function assertRepeatable(name: string, effect: Effect): void {
  if (effect !== 'idempotent') return
  throw new AgentError(
    'invalid_options',
    `agentTool("${name}"): effect must be "read" or "write", because an agent may act differently when it runs again.`,
  )
}

/** Codes of failures that the agent itself doesn't cause. */
const OF_OUTER_RUN: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>([
  'steps_failed',
  'steps_mismatch',
  'agent_changed',
  'approval_invalid',
  'approval_expired',
])

function pauseOrReport(error: AgentError, inner: InnerRun): void {
  const { code, paused, unknownCalls, cause } = error
  if (code === 'approval_required' && paused !== undefined) {
    const { pending, decided, expiresAt } = paused
    inner.pause({ waiting: pending, decided, expiresAt, cause })
    return
  }
  inner.addUnknown(unknownCalls)
  if (OF_OUTER_RUN.has(code)) inner.fail(error)
}

/** Reports the usage of this run, and of agents that its tools run. */
function reportUsage(event: AgentEvent, progress: (update: ModelUsage) => void): void {
  if (event.type === 'model_finished' && event.response.usage) progress({ type: 'model_usage', usage: event.response.usage })
  if (event.type === 'call_progress' && isModelUsage(event.update)) progress(event.update)
}

/** Returns the inputs as one object schema, without fields for tools. */
function argsOf({ name: agent, signature }: ToolAgent<Signature>, name: string): TObject {
  const properties: TProperties = {}
  for (const [field, schema] of Object.entries(signature.inputs)) {
    if (fieldKind(schema) === 'value') properties[field] = schema
    else if (!isOptionalField(schema))
      throw new AgentError(
        'invalid_options',
        `agentTool("${name}"): the input "${field}" of the agent "${agent}" holds tools, images or files, which a model cannot write. Remove it, or make it optional.`,
      )
  }
  const required = Object.keys(properties).filter((field) => !isOptionalField(properties[field]))
  return withFieldValidators({ type: 'object', properties, required }, properties)
}

/** Returns the values that the agent's tools declare, so that missing ones are reported when the outer run starts. */
function valuesOf(tools: ToolMap): TObject | undefined {
  const contexts: object[] = []
  for (const { context } of tools.values()) if (context !== undefined) contexts.push(opened(context))
  return contexts.length === 0 ? undefined : ({ type: 'object', allOf: contexts } as unknown as TObject)
}

/** Allows additional properties: values that one tool doesn't declare may be for another. */
function opened(context: TObject): object {
  const { additionalProperties: _, ...rest } = context as TObject & { additionalProperties?: unknown }
  return rest
}

/** Returns the error for a failed inner run. Its message is for developers, so it is passed as `cause` and not shown to the model. */
function failed(agent: string, cause: unknown): ToolError {
  const code = isAgentError(cause) ? cause.code : undefined
  if (code === 'aborted') return new ToolError('aborted', agentFailed(agent, code), { cause })
  return new ToolError('execution_failed', agentFailed(agent, code), { cause, reason: code })
}
