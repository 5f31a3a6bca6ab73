/** An agent as a tool: the inputs of its signature are the args, its outputs are the output. */
import { fieldKind, type InputsOf, isOptionalField, type OutputsOf, type Signature } from '@x/adapters'
import { type Effect, type Tool, ToolError, type ToolMap } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import { AgentError, isAgentError } from '../errors.ts'
import type { AgentEvent } from '../events.ts'
import { withFieldValidators } from '../loop/fields-schema.ts'
import { isModelUsage, type ModelUsage } from '../model/spending.ts'
import { agentFailed } from '../prompts.ts'
import { define } from './define.ts'

/** The part of an agent that `agentTool` uses. Anything with this shape will do. */
export interface ToolAgent<S extends Signature> {
  readonly name: string
  readonly signature: S
  readonly tools: ToolMap
  run(
    inputs: InputsOf<S>,
    options?: { signal?: AbortSignal | undefined; id?: string | undefined; context?: object | undefined },
  ): PromiseLike<{ readonly outputs: OutputsOf<S> }> & { stream?(): AsyncIterable<unknown> }
}

export interface AgentToolOptions<Name extends string> {
  name: Name
  description: string
  /** Effect of a whole run, with all the tools that it may call. */
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
 * - Usage of the inner run is reported as progress of the call (`ModelUsage`). It counts toward the outer budget after the call.
 * - A journal of the outer run records the call as one step, so it is repeated as a whole or not at all.
 * - The tool doesn't close the agent.
 *
 * Throws `invalid_options` for inputs that require tools, for the effect `idempotent`, and for an agent with a tool that requires approval.
 * Throws like `defineTool` for invalid names and schemas.
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
  const { name, description, effect, timeoutMs = 600_000 } = options
  assertRunnable(agent, name, effect)
  const tool = define({
    name,
    description,
    effect,
    timeoutMs,
    args: argsOf(agent, name),
    context: valuesOf(agent.tools),
    execute: async (inputs, { signal, values, idempotencyKey, progress }) => {
      try {
        const run = agent.run(inputs as InputsOf<S>, { signal, context: values, id: idempotencyKey || undefined })
        for await (const event of run.stream?.() ?? []) reportUsage(event as AgentEvent, progress)
        return (await run).outputs
      } catch (cause) {
        throw failed(agent.name, cause)
      }
    },
  })
  return tool as unknown as Tool<Name, InputsOf<S>, OutputsOf<S>>
}

function assertRunnable({ name: agent, tools }: ToolAgent<Signature>, name: string, effect: Effect | undefined): void {
  const asking = [...tools.values()].find(({ needsApproval }) => needsApproval === true)
  if (asking !== undefined)
    throw new AgentError(
      'invalid_options',
      `agentTool("${name}"): the tool "${asking.name}" of the agent "${agent}" requires approval, but a run cannot pause inside a call. Define that tool without needsApproval, and require approval for the whole: deriveTool(agentTool(…), { needsApproval: true }).`,
    )
  if (effect !== 'idempotent') return
  throw new AgentError(
    'invalid_options',
    `agentTool("${name}"): the effect must not be "idempotent", because the model may act differently when the agent runs again. Use "read" if none of its tools writes, otherwise "write".`,
  )
}

/** Reports the usage of this run, and of agents that its tools run. */
function reportUsage(event: AgentEvent, progress: (update: ModelUsage) => void): void {
  if (event.type === 'model_finished' && event.response.usage) progress({ type: 'model_usage', usage: event.response.usage })
  if (event.type === 'call_progress' && isModelUsage(event.update)) progress(event.update)
}

/** The inputs as one object schema, without fields for tools. */
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

/** The values that the agent's tools declare, so that missing ones are reported when the outer run starts. */
function valuesOf(tools: ToolMap): TObject | undefined {
  const contexts = [...tools.values()].flatMap(({ context }) => (context === undefined ? [] : [opened(context)]))
  return contexts.length === 0 ? undefined : ({ type: 'object', allOf: contexts } as unknown as TObject)
}

/** Allows additional properties: values that one tool doesn't declare may be for another. */
function opened(context: TObject): object {
  const { additionalProperties: _, ...rest } = context as TObject & { additionalProperties?: unknown }
  return rest
}

/** The message of an inner failure is for developers, so it goes to `cause` and not to the model. */
function failed(agent: string, cause: unknown): ToolError {
  const code = isAgentError(cause) ? cause.code : undefined
  if (code === 'aborted') return new ToolError('aborted', agentFailed(agent, code), { cause })
  return new ToolError('execution_failed', agentFailed(agent, code), { cause, reason: code })
}
