/** The ReAct agent: a signature's outputs from its inputs, by way of tools. */
import {
  type Adapter,
  defaultAdapter,
  defineSignature,
  type InputsOf,
  type LM,
  type Settings,
  type Signature,
  ToolCalls,
  Tools,
} from '@x/adapters'
import type { Registry } from '@x/registry'
import type { ToolMap, ToolResolver } from '@x/tool-core'
import type { TSchema } from 'typebox'
import { assertOptions } from './check-options.ts'
import { messagesOf } from './earlier.ts'
import { endingFor, RESERVED_NAMES } from './ending.ts'
import { AgentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { type LoopOptions, type ReactResult, runLoop } from './loop.ts'
import type { RunScope } from './model.ts'
import { type AgentTool, openTools } from './open-tools.ts'
import { type Run, startRun } from './run.ts'
import { openSearch } from './search.ts'
import { directSteps, type Steps } from './steps.ts'
import type { Trajectory } from './trajectory.ts'
import { TOOLS_FIELD } from './turn.ts'
import { assertValues } from './values.ts'

export interface ReactAgentOptions<S extends Signature> {
  lm: LM
  /** The task. */
  signature: S
  /** A registry, or a list of tools, toolsets, lazy tools and references to a registry's tools. */
  tools: ToolResolver | readonly AgentTool[]
  /** A registry whose other tools the model may find by search; what it finds is imported then, and offered from the next request on. */
  search?: Registry | undefined
  /**
   * How many tools a conversation may reveal by search; 64 unless told. A search that finds more says so to the model, with their
   * names. Of what earlier runs revealed the first so many are offered again.
   */
  maxRevealed?: number | undefined
  /** Shown in errors; `agent` unless told. */
  name?: string | undefined
  /** `defaultAdapter()` unless told; `textAdapter(dialect)` for a model without function calling. */
  adapter?: Adapter | undefined
  /** Turns in which the model may call tools; 10 unless told. One more is used to make it answer. */
  maxSteps?: number | undefined
  /** How often the model is told that its final outputs are wrong; 2 unless told. */
  maxRepairs?: number | undefined
  settings?: Settings | undefined
  /** Holds the model to the tools' schemas where the provider can. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, as the provider's API has it. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** Ask for responses in pieces: events then hold deltas. */
  stream?: boolean | undefined
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Names the run: the same name gives its calls the same idempotency keys, also after a crash. Random unless told. */
  id?: string | undefined
  /** Run-scoped values that tools declare; the model never sees them. */
  context?: object | undefined
  steps?: Steps | undefined
  /** Goes on after an earlier run, of this agent or another: the model reads that run's trajectory before the task. */
  after?: Trajectory | undefined
}

export interface ReactAgent<S extends Signature> extends AsyncDisposable {
  readonly name: string
  /** The resolved tools: what a run can call, beside the search and what it reveals. */
  readonly tools: ToolMap
  /**
   * Starts a run. Rejects with `AgentError`, or with `TypeError` for a missing input; a tool that fails is something that the
   * model reads.
   */
  run(inputs: InputsOf<S>, options?: RunOptions): Run<ReactResult<S>, AgentEvent<ReactResult<S>>>
  /** Closes the tool sources that the agent opened. */
  close(): Promise<void>
}

/**
 * Creates an agent: opens its tool sources and resolves its tools, so that what is missing fails here and not in a run.
 * Rejects with `ToolResolutionError`, which holds every failure, or with `AgentError` for a wrong option or a reserved tool name.
 */
export async function createReactAgent<S extends Signature>(options: ReactAgentOptions<S>): Promise<ReactAgent<S>> {
  const { lm, signature, name = 'agent', adapter = defaultAdapter(), settings, strictTools, providerOptions, stream } = options
  const { maxSteps = 10, maxRepairs = 2, maxRevealed = 64 } = options
  assertOptions({ ...options, maxRevealed })
  const opened = await openTools(options.tools, name)
  const search = options.search && openSearch(options.search, { agent: name, taken: opened.tools, maxRevealed })
  const words = search === undefined ? RESERVED_NAMES : [...RESERVED_NAMES, search.tool.name]
  const reserved = words.find((word) => opened.tools.has(word))
  if (reserved !== undefined) {
    await opened.close()
    throw new AgentError(
      'reserved_name',
      `The agent "${name}" has a tool named "${reserved}", a word that agents use themselves. Rename the tool.`,
    )
  }
  const declared = [...opened.tools.values()].filter(({ context }) => context !== undefined)
  const ending = endingFor(adapter, signature)
  // Frozen, so that its specs are made once and not in every run.
  const offered = Object.freeze([...opened.tools.values(), ...(search ? [search.tool] : []), ...ending.tools])
  const loop: LoopOptions<S> = {
    model: { lm, adapter, request: { settings, strictTools, providerOptions }, stream },
    task: signature,
    act: actSignature(signature, [...opened.instructions, ending.instructions]),
    ending,
    tools: new Map(offered.map((tool) => [tool.name, tool])),
    offered,
    search,
    maxSteps,
    maxRepairs,
  }
  return {
    name,
    tools: opened.tools,
    run: (inputs, { id = crypto.randomUUID(), signal, context = {}, steps = directSteps, after } = {}) =>
      startRun(async (emit) => {
        if (opened.isClosed()) throw new AgentError('closed', `The agent "${name}" was closed. Create another one.`)
        await assertValues(declared, context)
        const scope: RunScope = { id, values: context, steps, signal, emit: emit as never }
        const result = await runLoop(loop, inputs, scope, messagesOf(after))
        emit({ type: 'finished', result })
        return result
      }),
    close: opened.close,
    [Symbol.asyncDispose]: opened.close,
  }
}

/** The task's inputs and the tools, in; a thought and tool calls, out. */
function actSignature(task: Signature, instructions: readonly string[]): Signature {
  return defineSignature({
    instructions: [task.instructions, ...instructions].filter((words) => words !== '').join('\n\n'),
    inputs: { ...task.inputs, [TOOLS_FIELD]: Tools() },
    outputs: { thought: { type: 'string' } as TSchema, tool_calls: ToolCalls() },
  })
}
