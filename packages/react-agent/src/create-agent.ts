/** The ReAct agent: typed inputs to typed outputs, with tool calls in between. */
import type { InputsOf, Signature } from '@x/adapters'
import type { Tool, ToolMap } from '@x/tool-core'
import type { Decision } from './approval/decision.ts'
import { assertPausedInputs, readDecisions, readPausedRun } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import { AgentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { actSignature } from './loop/act-signature.ts'
import { endingFor, RESERVED_NAMES } from './loop/ending.ts'
import { readHistory } from './loop/history.ts'
import type { ReactResult } from './loop/result.ts'
import type { Run } from './loop/run-stream.ts'
import { start } from './loop/start.ts'
import type { Limits, LoopOptions, ReactAgentOptions, ResumeOptions, RunOptions } from './options.ts'
import type { ModuleSettings } from './predict/module-options.ts'
import { CALL_TOOL } from './prompts.ts'
import type { AgentCalls } from './tools/agent-tools.ts'
import { type OpenedTools, openTools, withTools } from './tools/open-tools.ts'
import {
  hasOwnCallTool,
  openSearch,
  SEARCH_NAMES,
  type SearchOptions,
  toProviderSearch,
  toSearchOptions,
} from './tools/search.ts'

/** An agent for one task. `Calls` is the type of the calls in its events and trajectories. */
export interface ReactAgent<S extends Signature, Calls extends AgentCalls = AgentCalls> extends AsyncDisposable {
  readonly name: string
  readonly signature: S
  /** The resolved tools. Tool search and the tools that it reveals aren't included. */
  readonly tools: ToolMap
  /** True if the model can search for more tools. */
  readonly hasSearch: boolean
  /**
   * Starts a run. Undeclared inputs are ignored. Tool errors are returned to the model as observations. Rejects with `AgentError`, for
   * example `invalid_inputs` if the inputs don't match the signature.
   */
  run(inputs: InputsOf<S>, options?: RunOptions): AgentRun<S, Calls>
  /**
   * Resumes a paused run, which an error with the code `approval_required` contains as `paused`. `decisions` maps call ids to decisions. If
   * calls are left undecided, the run pauses again. Resumes aren't tracked: a run that is resumed twice runs its calls twice, with the
   * same idempotency keys. Pass the same journal as `steps` to prevent that.
   */
  resume(paused: PausedRun, decisions: Readonly<Record<string, Decision | boolean>>, options?: ResumeOptions): AgentRun<S, Calls>
  /** Closes the tool sources that the agent opened. */
  close(): Promise<void>
}

export type AgentRun<S extends Signature, Calls extends AgentCalls = AgentCalls> = Run<
  ReactResult<S, Calls['name']>,
  AgentEvent<ReactResult<S, Calls['name']>, Calls>
>

/** The options of an agent once they have been checked. Those that `module` and `limits` contain are read from there. */
export interface ReadOptions extends ReactAgentOptions<Signature> {
  readonly module: ModuleSettings
  readonly limits: Limits
}

export async function createAgent(options: ReadOptions): Promise<ReactAgent<Signature>> {
  const { signature, name = 'agent' } = options
  const searched = options.search && toSearchOptions(options.search)
  if (searched !== undefined && hasOwnCallTool(searched)) throw reservedName(CALL_TOOL, `registry of the agent "${name}"`)
  const opened = await openTools(options.tools, name)
  let loop: LoopOptions
  try {
    loop = await loopOf(options, name, opened, searched)
  } catch (error) {
    await opened.close().catch(() => {}) // Errors of closing are ignored, because the first failure is the one to report.
    throw error
  }
  const starter = {
    loop,
    declared: [...opened.tools.values()].filter(({ context }) => context !== undefined),
    isClosed: opened.isClosed,
  }
  return {
    name,
    signature,
    tools: opened.tools,
    hasSearch: searched !== undefined,
    run: (inputs, { history, ...rest } = {}) => start(starter, rest, () => ({ inputs, ...readHistory(history) })),
    resume: (given, decisions, rest = {}) =>
      start(starter, { ...rest, id: given?.runId }, async () => {
        const paused = await readPausedRun(given, name, loop.pauses)
        const decided = readDecisions(paused, decisions)
        assertPausedInputs(paused, signature, loop.model.adapter)
        const earlier = paused.messages.slice(0, paused.earlier)
        return { inputs: paused.inputs as InputsOf<Signature>, messages: earlier, repairs: [], paused, decisions: decided }
      }),
    close: opened.close,
    [Symbol.asyncDispose]: opened.close,
  }
}

async function loopOf(
  options: ReadOptions,
  name: string,
  opened: OpenedTools,
  searched: SearchOptions | undefined,
): Promise<LoopOptions> {
  const names = searched === undefined ? RESERVED_NAMES : [...RESERVED_NAMES, ...SEARCH_NAMES]
  const reserved = names.find((each) => opened.tools.has(each))
  if (reserved !== undefined) throw reservedName(reserved, `agent "${name}"`)
  const { maxRevealed } = options.limits
  const search = searched && (await openSearch(searched, { agent: name, taken: opened.tools, maxRevealed }))
  const { module, limits, signature, stream, contextWindow = {}, budget = {}, pauses = {} } = options
  const { model, modelTimeoutMs } = module
  const provided = search && toProviderSearch(search)
  const request = provided === undefined ? model.request : { ...model.request, search: provided }
  const ending = endingFor(model.adapter, signature)
  // Frozen, so that the adapter can cache the specs across runs.
  const offered: readonly Tool[] = Object.freeze([...opened.tools.values(), ...(search?.tools ?? []), ...ending.tools])
  return {
    name,
    model: { ...model, request, stream },
    task: signature,
    act: actSignature(signature, opened.instructions, ending.instructions, model.adapter),
    ending,
    tools: withTools(new Map(), search === undefined ? offered : offered.concat(search.loaded)),
    offered,
    search,
    modelTimeoutMs,
    limits,
    window: contextWindow,
    budget,
    prices: options.prices,
    stopWhen: options.stopWhen,
    pauses,
  }
}

function reservedName(tool: string, owner: string): AgentError {
  return new AgentError('reserved_name', `The ${owner} has a tool named "${tool}", but agents reserve it. Rename the tool.`)
}
