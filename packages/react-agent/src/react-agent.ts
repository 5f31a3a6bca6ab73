/** The ReAct agent: a signature's outputs from its inputs, by way of tools. */
import { type Adapter, defaultAdapter, type InputsOf, type LM, type Settings, type Signature } from '@x/adapters'
import type { Registry } from '@x/registry'
import type { ToolMap, ToolResolver } from '@x/tool-core'
import type { Decision } from './approval/decision.ts'
import { assertInputs, type PauseOptions, readDecisions, readPausedRun } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import { MAX_RESULT_LENGTH } from './calls/large-results.ts'
import { assertOptions } from './check-options.ts'
import { AgentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { endingFor, RESERVED_NAMES } from './loop/ending.ts'
import { readHistory } from './loop/history.ts'
import type { ReactResult, RunState } from './loop/result.ts'
import type { Run } from './loop/run.ts'
import { start } from './loop/start.ts'
import { actSignature } from './loop/turn.ts'
import type { ContextWindowOptions } from './model/context-window.ts'
import { MODEL_TIMEOUT_MS } from './model/model-deadline.ts'
import type { Budget, Prices } from './model/spending.ts'
import type { LoopOptions, ResumeOptions, RunOptions } from './options.ts'
import { type AgentEntry, type OpenedTools, openTools } from './tools/open-tools.ts'
import { openSearch, type ToolSearch } from './tools/search.ts'

export interface ReactAgentOptions<S extends Signature> {
  lm: LM
  /** The task. */
  signature: S
  /** A registry, or a list of tools, toolsets, lazy tools and references to a registry's tools. */
  tools: ToolResolver | readonly AgentEntry[]
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
  /** Says when enough was done: the model is then made to answer. Asked after each turn with calls. */
  stopWhen?: ((state: RunState) => boolean | Promise<boolean>) | undefined
  /** What a run may use at most; a run that is over it rejects with `budget_exceeded` before its next request. */
  budget?: Budget | undefined
  /** For `budget.cost`, and `cost` of results. */
  prices?: Prices | undefined
  /** Calls of one turn that run side by side; 8 unless told. */
  maxParallelCalls?: number | undefined
  /** Maximum number of calls that are run in one turn; the others are reported to the model. Default: 100. */
  maxCallsPerTurn?: number | undefined
  /** How often the same call may give the same result before it is not run any more; 5 unless told. */
  maxRepeats?: number | undefined
  /** How often calls of one tool may fail in a row before it is not run any more; 5 unless told. */
  maxToolFailures?: number | undefined
  /** Characters of a result that the model reads at once; 32,000 unless told. It reads the rest by `read_result`. */
  maxResultLength?: number | undefined
  /** What is done when the conversation grows too long; old turns are left out unless told. */
  contextWindow?: ContextWindowOptions | undefined
  /** For runs that wait for approvals: a key that signs them, and how long they may wait. */
  pauses?: PauseOptions | undefined
  /** Of one request with its reply, in milliseconds; 10 minutes unless told, `Infinity` for none. */
  modelTimeoutMs?: number | undefined
  settings?: Settings | undefined
  /** Holds the model to the tools' schemas where the provider can. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, as the provider's API has it. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** Ask for responses in pieces: events then hold deltas. */
  stream?: boolean | undefined
}

export interface ReactAgent<S extends Signature> extends AsyncDisposable {
  readonly name: string
  readonly signature: S
  /** The resolved tools: what a run can call, beside the search and what it reveals. */
  readonly tools: ToolMap
  /**
   * Starts a run. Rejects with `AgentError`, which is `invalid_inputs` for inputs that do not fit the signature; those that it does not
   * declare are left out. A tool that fails is something that the model reads.
   */
  run(inputs: InputsOf<S>, options?: RunOptions): AgentRun<S>
  /**
   * Goes on with a run that paused: `error.paused` of an `approval_required`. Decisions are given by call; without one for all of
   * them it pauses again. Nobody remembers that a paused run was resumed: whoever resumes it twice runs its calls twice, with the same
   * idempotency keys, unless both are given the same journal as `steps`.
   */
  resume(paused: PausedRun, decisions: Readonly<Record<string, Decision | boolean>>, options?: ResumeOptions): AgentRun<S>
  /** Closes the tool sources that the agent opened. */
  close(): Promise<void>
}

export type AgentRun<S extends Signature> = Run<ReactResult<S>, AgentEvent<ReactResult<S>>>

/**
 * Creates an agent: opens its tool sources and resolves its tools, so that what is missing fails here and not in a run.
 * Rejects with `ToolResolutionError`, which holds every failure, or with `AgentError` for a wrong option or a reserved tool name.
 */
export async function createReactAgent<S extends Signature>(options: ReactAgentOptions<S>): Promise<ReactAgent<S>> {
  assertOptions(options)
  const { signature, name = 'agent', maxRevealed = 64 } = options
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
  const loop = toLoop(options, name, opened, search)
  const starter = {
    loop,
    declared: [...opened.tools.values()].filter(({ context }) => context !== undefined),
    isClosed: opened.isClosed,
  }
  return {
    name,
    signature,
    tools: opened.tools,
    run: (inputs, { history, ...rest } = {}) => start(starter, rest, () => ({ inputs, ...readHistory(history) })),
    resume: (given, decisions, rest = {}) =>
      start(starter, { ...rest, id: given?.runId }, async () => {
        const paused = await readPausedRun(given, name, loop.pauses)
        const decided = readDecisions(paused, decisions)
        assertInputs(paused, signature, loop.model.adapter)
        const earlier = paused.messages.slice(0, paused.earlier)
        return { inputs: paused.inputs as InputsOf<S>, messages: earlier, repairs: [], paused, decisions: decided }
      }),
    close: opened.close,
    [Symbol.asyncDispose]: opened.close,
  }
}

function toLoop<S extends Signature>(
  options: ReactAgentOptions<S>,
  name: string,
  opened: OpenedTools,
  search: ToolSearch | undefined,
): LoopOptions<S> {
  const { lm, signature, adapter = defaultAdapter(), settings, strictTools, providerOptions, stream } = options
  const { maxSteps = 10, maxRepairs = 2, maxParallelCalls = 8, maxCallsPerTurn = 100 } = options
  const { maxRepeats = 5, maxToolFailures = 5 } = options
  const { maxResultLength = MAX_RESULT_LENGTH, modelTimeoutMs = MODEL_TIMEOUT_MS, contextWindow = {}, pauses = {} } = options
  const ending = endingFor(adapter, signature)
  // Frozen, so that its specs are made once and not in every run.
  const offered = Object.freeze([...opened.tools.values(), ...(search ? [search.tool] : []), ...ending.tools])
  return {
    name,
    model: { lm, adapter, request: { settings, strictTools, providerOptions }, stream },
    task: signature,
    act: actSignature(signature, [...opened.instructions, ending.instructions], adapter),
    ending,
    tools: new Map(offered.map((tool) => [tool.name, tool])),
    offered,
    search,
    modelTimeoutMs,
    maxSteps,
    maxRepairs,
    maxParallelCalls,
    maxCallsPerTurn,
    maxResultLength,
    guards: { maxRepeats, maxFailures: maxToolFailures },
    window: contextWindow,
    budget: options.budget ?? {},
    prices: options.prices,
    stopWhen: options.stopWhen,
    pauses,
  }
}
