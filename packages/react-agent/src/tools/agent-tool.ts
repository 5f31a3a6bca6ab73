/** An agent as a tool of another one: the inputs of its signature are the args, its outputs the output. */
import { fieldKind, type InputsOf, isOptionalField, type OutputsOf, type Signature } from '@x/adapters'
import { defineTool, type Effect, type Tool, ToolError, type ToolMap } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import { AgentError, isAgentError } from '../errors.ts'
import type { AgentEvent } from '../events.ts'
import { isModelUsage, type ModelUsage } from '../model/spending.ts'

/** An agent, as far as a tool needs it; by shape, so that anything that runs a signature will do. */
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
  /** What a run of the agent does to the world, all of its tools together. */
  effect?: Effect | undefined
  /** Deadline of a run; 10 minutes unless told, `Infinity` for none. */
  timeoutMs?: number | undefined
}

/**
 * A tool that runs the agent. It hands on the signal and the run-scoped values, asks for the values that the agent's tools declare,
 * and names the run by the call's idempotency key. A run that fails is a failed call, whose message names the agent and the code.
 * What the inner run uses is told as it goes, as progress of the call (`ModelUsage`), and counts against the outer budget once the call
 * is over. A journal of the outer run knows the call as one step and nothing in it, so it is repeated as a whole
 * or not at all. Throws `invalid_options` for a signature whose inputs need tools, for an agent
 * with a tool that needs approval, since a run cannot pause inside a call (define that tool without, and let the whole need it by
 * `deriveTool`), and for the effect `idempotent`, since a model that is
 * asked again may do something else. Throws as `defineTool` does. Whoever made the agent closes it.
 */
export function agentTool<S extends Signature, const Name extends string>(
  agent: ToolAgent<S>,
  options: AgentToolOptions<Name>,
): Tool<Name, InputsOf<S>, OutputsOf<S>> {
  if (typeof agent?.run !== 'function' || typeof options !== 'object' || options === null)
    throw new AgentError(
      'invalid_options',
      'agentTool: write agentTool(agent, { name, description }), with an agent that was awaited.',
    )
  const { name, description, effect, timeoutMs = 600_000 } = options
  assertRunnable(agent, name, effect)
  const tool = defineTool({
    name,
    description,
    effect,
    timeoutMs,
    args: argsOf(agent, name),
    context: valuesOf(agent.tools),
    execute: async (inputs, { signal, values, idempotencyKey, progress }) => {
      try {
        const run = agent.run(inputs as InputsOf<S>, { signal, context: values, id: idempotencyKey || undefined })
        for await (const event of run.stream?.() ?? []) tellUsage(event as AgentEvent, progress)
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
      `agentTool("${name}"): the tool "${asking.name}" of the agent "${agent}" needs approval, and a run cannot pause inside a call. Give this agent one that is defined without needsApproval, and let the whole need it: deriveTool(agentTool(…), { needsApproval: true }).`,
    )
  if (effect !== 'idempotent') return
  throw new AgentError(
    'invalid_options',
    `agentTool("${name}"): an agent is not idempotent, since its model may do something else when it is asked again. Say "read" if none of its tools writes, or "write".`,
  )
}

/** Of this run, and of agents that its own tools ask. */
function tellUsage(event: AgentEvent, progress: (update: ModelUsage) => void): void {
  if (event.type === 'model_finished' && event.response.usage) progress({ type: 'model_usage', usage: event.response.usage })
  if (event.type === 'call_progress' && isModelUsage(event.update)) progress(event.update)
}

/** The plain inputs as one object schema. */
function argsOf({ name: agent, signature }: ToolAgent<Signature>, name: string): TObject {
  const properties: TProperties = {}
  for (const [field, schema] of Object.entries(signature.inputs)) {
    if (fieldKind(schema) === 'value') properties[field] = schema
    else if (!isOptionalField(schema))
      throw new AgentError(
        'invalid_options',
        `agentTool("${name}"): the input "${field}" of the agent "${agent}" holds tools, which no model can write. Leave it out, or make it optional.`,
      )
  }
  const required = Object.keys(properties).filter((field) => !isOptionalField(properties[field]))
  return { type: 'object', properties, required } as unknown as TObject
}

/** What the agent's tools ask of a run, so that it is missed before the outer run begins and not in the middle of it. */
function valuesOf(tools: ToolMap): TObject | undefined {
  const contexts = [...tools.values()].flatMap(({ context }) => (context === undefined ? [] : [opened(context)]))
  return contexts.length === 0 ? undefined : ({ type: 'object', allOf: contexts } as unknown as TObject)
}

/** Values that one tool does not declare are for another one. */
function opened(context: TObject): object {
  const { additionalProperties: _, ...rest } = context as TObject & { additionalProperties?: unknown }
  return rest
}

/** The words of an inner failure are for developers: they may tell of its model, its hosts and its data. */
function failed(agent: string, cause: unknown): ToolError {
  const code = isAgentError(cause) ? cause.code : undefined
  if (code === 'aborted') return new ToolError('aborted', `The agent "${agent}" was aborted.`, { cause })
  const words = code === undefined ? '' : ` (${code})`
  return new ToolError('execution_failed', `The agent "${agent}" did not finish its task${words}.`, { cause, reason: code })
}
