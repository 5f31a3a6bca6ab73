/** The loop: ask the model, run its calls, show it the results, until the task has its outputs. */
import type {
  Conversation,
  FieldError,
  InputsOf,
  LMResponse,
  Message,
  OutputsOf,
  RequestOptions,
  Signature,
  Usage,
} from '@x/adapters'
import { type Tool, type ToolMap, toSpec } from '@x/tool-core'
import { type CallOutcome, runCalls } from './calls.ts'
import { callIdsOf } from './earlier.ts'
import type { Ending } from './ending.ts'
import { AgentError, type AgentErrorCode, type AgentErrorOptions } from './errors.ts'
import type { UnknownCall } from './intent.ts'
import { askModel, type ModelOptions, type RunScope, untilAborted } from './model.ts'
import { describeErrors } from './observe.ts'
import { askForOutputsOf, invalidOutput, isFinal, parseOutputs } from './outputs.ts'
import type { RevealedTools, SearchRun, ToolSearch } from './search.ts'
import { type Trajectory, toTrajectory } from './trajectory.ts'
import { type ModelTurn, readTurn, TOOLS_FIELD } from './turn.ts'

/** `finished`: the model ended the task. `max_steps`: its steps were used up and it answered when it was made to. */
export type Termination = 'finished' | 'max_steps'

export interface ReactResult<S extends Signature = Signature> {
  readonly outputs: OutputsOf<S>
  readonly trajectory: Trajectory
  readonly termination: Termination
  /** Turns of the model in which it could call tools. */
  readonly steps: number
  /** Tokens of all turns of the run, as far as the provider reported them. */
  readonly usage: Usage
  /** Calls that an earlier process began before it was stopped, and that were not repeated; the model was told. */
  readonly unknownCalls: readonly UnknownCall[]
}

/** What stays the same for all runs of an agent. */
export interface LoopOptions<S extends Signature> {
  readonly model: ModelOptions
  /** The task: its own inputs and outputs. */
  readonly task: S
  /** The task's inputs and the tools in; a thought and tool calls out. */
  readonly act: Signature
  readonly ending: Ending
  /** The agent's tools and those of the ending. */
  readonly tools: ToolMap
  /** The same, as the model is told of them. */
  readonly offered: readonly Tool[]
  /** The rest of a registry; its tool is among those that are offered. */
  readonly search?: ToolSearch | undefined
  readonly maxSteps: number
  readonly maxRepairs: number
}

/** One run. */
export async function runLoop<S extends Signature>(
  options: LoopOptions<S>,
  inputs: InputsOf<S>,
  scope: RunScope,
  earlier: readonly Message[],
): Promise<ReactResult<S>> {
  const search = options.search?.start()
  const revealed = await revealedBy(search, earlier, scope)
  return new Loop(options, { inputs, earlier, search, revealed }, scope).run()
}

/** How a run begins. */
interface Beginning<S extends Signature> {
  readonly inputs: InputsOf<S>
  /** What was said before it. */
  readonly earlier: readonly Message[]
  readonly search: SearchRun | undefined
  /** What searches of earlier runs revealed. */
  readonly revealed: readonly RevealedTools[]
}

/** A turn whose calls have been answered. */
interface AnsweredTurn extends ModelTurn {
  readonly outcomes: readonly CallOutcome[]
}

class Loop<S extends Signature> {
  readonly #options: LoopOptions<S>
  readonly #scope: RunScope
  readonly #conversation: Conversation
  readonly #endingTools: ToolMap
  /** Those of the agent, and what was revealed. */
  #tools: ToolMap
  readonly #search: SearchRun | undefined
  readonly #seenIds: Set<string>
  #usage: Usage = {}
  readonly #unknownCalls: UnknownCall[] = []
  #repairs = 0

  constructor(options: LoopOptions<S>, { inputs, earlier, search, revealed }: Beginning<S>, scope: RunScope) {
    this.#options = options
    this.#search = search
    this.#tools = withTools(options.tools, [...(search ? [search.tool] : []), ...revealed.flatMap(({ tools }) => tools)])
    this.#scope = scope
    this.#endingTools = new Map(options.ending.tools.map((tool) => [tool.name, tool]))
    this.#seenIds = new Set(callIdsOf(earlier))
    const told = revealed.map(({ after, tools }) => ({ after, tools: tools.map(toSpec) }))
    const { adapter } = options.model
    this.#conversation = adapter.begin(options.act, { ...inputs, [TOOLS_FIELD]: options.offered }, earlier, told)
  }

  async run(): Promise<ReactResult<S>> {
    const { maxSteps } = this.#options
    for (let step = 1; step <= maxSteps; step++) {
      const outputs = await this.#settle(await this.#takeTurn(step, {}, this.#tools), step)
      if (outputs !== undefined) return this.#result(outputs, 'finished', step)
    }
    return this.#result(await this.#force(maxSteps + 1), 'max_steps', maxSteps)
  }

  async #takeTurn(step: number, requestOptions: RequestOptions, tools: ToolMap): Promise<AnsweredTurn> {
    const { model, act } = this.#options
    this.#scope.emit({ type: 'step_started', step })
    const response = await askModel(model, this.#conversation, requestOptions, step, `model-${step}`, this.#scope)
    this.#usage = addUsage(this.#usage, response.usage)
    const parsed = model.adapter.parse(act, response, { tools: this.#conversation.tools })
    const turn = readTurn(parsed as never, step, this.#seenIds)
    this.#scope.emit({ type: 'turn', step, response: turn.response })
    const outcomes = await this.#runCalls(turn, tools, step)
    for (const { unknown } of outcomes) if (unknown !== undefined) this.#unknownCalls.push(unknown)
    const { messages } = this.#conversation
    const answered = messages.length
    this.#conversation.append({ response: turn.response, observations: outcomes.map(({ observation }) => observation) })
    await this.#reveal(messages.slice(answered))
    const { signal } = this.#scope
    if (signal?.aborted) throw this.#failure('aborted', 'The run was aborted by the caller.', { cause: signal.reason })
    return { ...turn, outcomes }
  }

  async #reveal(messages: readonly Message[]): Promise<void> {
    for (const { tools } of await revealedBy(this.#search, messages, this.#scope)) {
      this.#tools = withTools(this.#tools, tools)
      this.#conversation.reveal(tools.map(toSpec))
    }
  }

  async #runCalls({ calls }: ModelTurn, tools: ToolMap, step: number): Promise<readonly CallOutcome[]> {
    try {
      return await runCalls(calls, { ...this.#scope, tools, endingTools: this.#endingTools, step })
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause)
      throw this.#failure('steps_failed', `A step of the run failed: ${words}`, { cause })
    }
  }

  /** The outputs when the turn ended the task; undefined when the loop goes on. */
  async #settle(turn: AnsweredTurn, step: number): Promise<unknown> {
    if (turn.outcomes.length === 0 && turn.unread.length > 0) return this.#repair(describeErrors(turn.unread), turn.unread, turn)
    const settlement = this.#options.ending.settle(turn.outcomes)
    switch (settlement.type) {
      case 'continue':
        return undefined
      case 'outputs':
        return settlement.outputs
      case 'ask':
        return this.#ask(settlement.user, step)
      case 'remind':
        return this.#repair(settlement.user, [], turn)
      case 'read_text': {
        const { outputs, errors } = await parseOutputs(this.#options.model, this.#options.task, turn.response, this.#conversation)
        return errors.length === 0 ? outputs : this.#repair(describeErrors(errors), errors, turn)
      }
    }
  }

  /** Asks for the outputs in a turn of their own. */
  #ask(user: string, step: number): Promise<unknown> {
    const { model, task, maxRepairs } = this.#options
    this.#conversation.append({ user })
    const onResponse = ({ usage }: LMResponse) => {
      this.#usage = addUsage(this.#usage, usage)
    }
    const request = { signature: task, conversation: this.#conversation, step, maxRepairs, onResponse }
    return askForOutputsOf(model, request, this.#scope)
  }

  #repair(user: string, errors: readonly FieldError[], { response }: ModelTurn): undefined {
    if (this.#repairs++ >= this.#options.maxRepairs || isFinal(errors)) throw invalidOutput(errors, response, this.#conversation)
    this.#conversation.append({ user })
  }

  /** The steps are used up: a last turn in which the model can only answer; a wrong `submit` may be mended, as ever. */
  async #force(step: number): Promise<unknown> {
    const { ending, model, task, maxSteps } = this.#options
    if ('user' in ending.last) return this.#ask(ending.last.user, step)
    for (let next = step; ; next++) {
      const turn = await this.#takeTurn(next, ending.last.options, this.#endingTools)
      const settlement = ending.settle(turn.outcomes)
      if (settlement.type === 'outputs') return settlement.outputs
      const { outputs, errors } = await parseOutputs(model, task, turn.response, this.#conversation)
      if (settlement.type === 'read_text' && errors.length === 0) return outputs
      const wrong = turn.outcomes.filter(({ observation: { name, ok } }) => !ok && this.#endingTools.has(name))
      if (wrong.length > 0 && this.#repairs++ < this.#options.maxRepairs) continue
      const reasons = wrong.length > 0 ? wrong.map(toFieldError) : errors
      const details = { errors: reasons, rawOutput: turn.response.text, steps: maxSteps }
      throw this.#failure('max_steps', `The task was not done within ${maxSteps} steps.`, details)
    }
  }

  #result(outputs: unknown, termination: Termination, steps: number): ReactResult<S> {
    const trajectory = toTrajectory(this.#conversation.messages)
    const unknownCalls = [...this.#unknownCalls]
    return { outputs: outputs as OutputsOf<S>, trajectory, termination, steps, usage: this.#usage, unknownCalls }
  }

  #failure(code: AgentErrorCode, message: string, details: AgentErrorOptions): AgentError {
    return new AgentError(code, message, { ...details, trajectory: toTrajectory(this.#conversation.messages) })
  }
}

/** Who aborts does not wait for a loader; the loop looks at the signal next. */
async function revealedBy(
  search: SearchRun | undefined,
  messages: readonly Message[],
  { signal }: RunScope,
): Promise<readonly RevealedTools[]> {
  if (search === undefined || signal?.aborted) return []
  return untilAborted(search.revealedBy(messages), signal).catch((error) => {
    if (signal?.aborted) return []
    throw error
  })
}

function withTools(tools: ToolMap, more: readonly Tool[]): ToolMap {
  return new Map([...tools, ...more.map((tool): [string, Tool] => [tool.name, tool])])
}

/** A call that ends the task gives all outputs at once, so the error is about all of them. */
function toFieldError({ observation }: CallOutcome): FieldError {
  return { code: 'invalid_output', field: observation.name, message: observation.text }
}

function addUsage(total: Usage, usage: Usage = {}): Usage {
  const add = (a: number | undefined, b: number | undefined) => (a === undefined ? b : a + (b ?? 0))
  return { inputTokens: add(total.inputTokens, usage.inputTokens), outputTokens: add(total.outputTokens, usage.outputTokens) }
}
