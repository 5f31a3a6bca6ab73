/** The loop: ask the model, run its calls, show it the results, until the task has its outputs. */
import type { Conversation, FieldError, InputsOf, Message, RequestOptions, Signature } from '@x/adapters'
import { type Tool, type ToolMap, toSpec } from '@x/tool-core'
import type { PendingCall } from './approval/decision.ts'
import { assertPending, toPausedRun, waitingWords } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import { runCalls } from './calls.ts'
import { toFieldError } from './ending.ts'
import { AgentError, type AgentErrorCode, type AgentErrorOptions } from './errors.ts'
import { callIdsOf } from './history.ts'
import type { Beginning, LoopOptions } from './loop-options.ts'
import { askModel } from './model.ts'
import { describeErrors } from './observe.ts'
import { withTools } from './open-tools.ts'
import type { CallOutcome, Outcomes, UnknownCall } from './outcome.ts'
import { askForOutputsOf, invalidOutput, isFinal, parseOutputs } from './outputs.ts'
import { CallGuards } from './policies/call-guards.ts'
import { ContextWindow } from './policies/context-window.ts'
import { LargeResults } from './policies/large-results.ts'
import { modelDeadline } from './policies/model-deadline.ts'
import { Spending } from './policies/spending.ts'
import type { ReactResult, Termination } from './result.ts'
import type { CallScope, RunScope } from './scope.ts'
import { revealedBy, type SearchRun } from './search.ts'
import { toTrajectory } from './trajectory.ts'
import { type AnsweredTurn, type ModelTurn, readTurn, TOOLS_FIELD } from './turn.ts'
import { untilAborted } from './until-aborted.ts'

/** One run, from its beginning or from where it paused. */
export async function runLoop<S extends Signature>(
  options: LoopOptions<S>,
  { inputs, earlier }: { readonly inputs: InputsOf<S>; readonly earlier: readonly Message[] },
  scope: RunScope,
  paused?: PausedRun,
): Promise<ReactResult<S>> {
  const search = options.search?.start()
  const revealed = await revealedBy(search, earlier, scope.signal)
  const loop = new Loop(options, { inputs, earlier, search, revealed, paused }, scope)
  try {
    return await (paused === undefined ? loop.run() : loop.resume(paused))
  } catch (error) {
    throw error instanceof AgentError ? error.withUnknown(loop.unknownCalls) : error
  }
}

class Loop<S extends Signature> {
  readonly #options: LoopOptions<S>
  readonly #inputs: InputsOf<S>
  readonly #earlier: number
  /** One for all turns: each is over before the next begins. */
  readonly #scope: CallScope & { step: number; tools: ToolMap }
  readonly #conversation: Conversation
  readonly #endingTools: ToolMap
  #tools: ToolMap
  readonly #search: SearchRun | undefined
  readonly #seenIds: Set<string>
  readonly #guards: CallGuards
  readonly #results: LargeResults
  readonly #window: ContextWindow
  readonly #spending: Spending
  readonly unknownCalls: UnknownCall[]
  #repairs: number

  constructor(options: LoopOptions<S>, { inputs, earlier, search, revealed, paused }: Beginning<S>, scope: RunScope) {
    this.#options = options
    this.#inputs = inputs
    this.#earlier = earlier.length
    this.#search = search
    this.#tools = withTools(options.tools, [...(search ? [search.tool] : []), ...revealed.flatMap(({ tools }) => tools)])
    this.#endingTools = new Map(options.ending.tools.map((tool) => [tool.name, tool]))
    this.#seenIds = new Set(callIdsOf(earlier))
    this.#guards = new CallGuards(options.guards)
    this.#window = new ContextWindow(options.window, earlier.length)
    this.#results = new LargeResults(options.maxResultLength, paused?.results)
    this.#spending = new Spending(options.budget, options.prices, paused?.usage)
    this.#repairs = paused?.repairs ?? 0
    this.unknownCalls = [...(paused?.unknownCalls ?? [])]
    const { maxParallelCalls, modelTimeoutMs } = options
    this.#scope = {
      ...scope,
      spending: this.#spending,
      window: this.#window,
      deadline: modelDeadline(modelTimeoutMs, scope.signal),
      tools: this.#tools,
      endingTools: this.#endingTools,
      step: 0,
      maxParallelCalls,
      guards: this.#guards,
      results: this.#results,
      unknownCalls: this.unknownCalls,
    }
    const told = revealed.map(({ after, tools }) => ({ after, tools: tools.map(toSpec) }))
    const { adapter } = options.model
    this.#conversation = adapter.begin(options.act, { ...inputs, [TOOLS_FIELD]: options.offered }, earlier, told)
  }

  run(): Promise<ReactResult<S>> {
    return this.#runFrom(1)
  }

  /** The turn that waits is answered first. */
  async resume({ messages, earlier, forgotten, step, response, finished, pending }: PausedRun): Promise<ReactResult<S>> {
    const said = messages.slice(earlier + 1)
    for (const id of callIdsOf(said)) this.#seenIds.add(id)
    this.#guards.noteAll(said)
    this.#conversation.append({ messages: said })
    this.#window.forgetAgain(this.#conversation, forgotten)
    await this.#reveal(said)
    if (!this.#results.isEmpty) this.#offer([this.#results.tool])
    await assertPending(pending, this.#tools)
    const { model, act } = this.#options
    const turn = readTurn(model.adapter.parse(act, response, { tools: this.#conversation.tools }) as never, step, this.#seenIds)
    const over = new Map(finished.map((outcome) => [outcome.observation.callId, outcome]))
    return (await this.#endBy(await this.#answer(turn, this.#tools, step, over), step)) ?? this.#runFrom(step + 1)
  }

  async #runFrom(first: number): Promise<ReactResult<S>> {
    const { maxSteps } = this.#options
    for (let step = first; step <= maxSteps; step++) {
      const result = await this.#endBy(await this.#takeTurn(step, {}, this.#tools), step)
      if (result !== undefined) return result
    }
    return this.#result(await this.#force(maxSteps + 1), 'max_steps', maxSteps)
  }

  /** The result where the run ends with this turn. */
  async #endBy(turn: AnsweredTurn, step: number): Promise<ReactResult<S> | undefined> {
    const settled = this.#settle(turn, step)
    const outputs = settled instanceof Promise ? await settled : settled
    if (outputs !== undefined) return this.#result(outputs, 'finished', step)
    return this.#options.stopWhen !== undefined && (await this.#isEnough(step))
      ? this.#result(await this.#force(step + 1), 'stopped', step)
      : undefined
  }

  async #isEnough(step: number): Promise<boolean> {
    const { stopWhen } = this.#options
    if (stopWhen === undefined) return false
    const { usage, cost } = this.#spending
    const { signal } = this.#scope
    const state = { step, messages: this.#conversation.messages, usage, cost }
    try {
      return await untilAborted((async () => (await stopWhen(state)) === true)(), signal)
    } catch (cause) {
      throw signal?.aborted ? this.#aborted() : this.#failure('callback_failed', 'stopWhen failed.', { cause })
    }
  }

  async #takeTurn(step: number, requestOptions: RequestOptions, tools: ToolMap): Promise<AnsweredTurn> {
    const { model, act } = this.#options
    const told = this.#scope.emit({ type: 'step_started', step })
    // Who watches and lags behind does not keep a run from its end: an abort is seen by the request.
    if (told !== undefined) await untilAborted(told, this.#scope.signal).catch(() => {})
    const call = { step, key: `model-${step}`, options: requestOptions }
    const response = await askModel(model, this.#conversation, call, this.#scope)
    const parsed = model.adapter.parse(act, response, { tools: this.#conversation.tools })
    const turn = readTurn(parsed as never, step, this.#seenIds)
    this.#scope.emit({ type: 'turn', step, response: turn.response })
    return await this.#answer(turn, tools, step)
  }

  /** Runs the calls of a turn, and adds both to the conversation. */
  async #answer(turn: ModelTurn, tools: ToolMap, step: number, finished?: Outcomes): Promise<AnsweredTurn> {
    const outcomes = await this.#runCalls(turn, tools, step, finished)
    this.#note(turn, outcomes)
    const { messages } = this.#conversation
    const answered = messages.length
    this.#conversation.append({ response: turn.response, observations: outcomes.map(({ observation }) => observation) })
    if (this.#search !== undefined) await this.#reveal(messages.slice(answered))
    if (this.#scope.signal?.aborted) throw this.#aborted()
    return { ...turn, outcomes }
  }

  async #runCalls(turn: ModelTurn, tools: ToolMap, step: number, finished?: Outcomes): Promise<readonly CallOutcome[]> {
    try {
      this.#scope.step = step
      this.#scope.tools = tools
      const { outcomes, waiting } = await runCalls(turn.calls, this.#scope, finished)
      if (waiting.length === 0) return outcomes
      throw await this.#pause(turn, step, outcomes, waiting)
    } catch (cause) {
      if (cause instanceof AgentError) throw cause
      if (this.#scope.signal?.aborted) throw this.#aborted()
      const words = cause instanceof Error ? cause.message : String(cause)
      throw this.#failure('steps_failed', `A step of the run failed: ${words}`, { cause })
    }
  }

  /** What was run is known to those who look for calls that lead nowhere, and to those who report. */
  #note({ calls }: ModelTurn, outcomes: readonly CallOutcome[]): void {
    for (const [index, turnCall] of calls.entries()) {
      const { observation, whole, isRejected } = outcomes[index] as CallOutcome
      if ('call' in turnCall && !isRejected && !this.#endingTools.has(turnCall.raw.name))
        this.#guards.note(turnCall.raw, observation)
      if (whole === undefined) continue
      if (this.#results.isEmpty) this.#offer([this.#results.tool])
      this.#results.keep(observation.callId, whole)
    }
  }

  async #reveal(messages: readonly Message[]): Promise<void> {
    for (const { tools } of await revealedBy(this.#search, messages, this.#scope.signal)) this.#offer(tools)
  }

  /** From the next request on. */
  #offer(tools: readonly Tool[]): void {
    this.#tools = withTools(this.#tools, tools)
    this.#conversation.reveal(tools.map(toSpec))
  }

  /** The outputs when the turn ended the task; undefined when the loop goes on, at once where that is plain. */
  #settle(turn: AnsweredTurn, step: number): unknown {
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
      case 'read_text':
        return this.#readText(turn)
    }
  }

  async #readText(turn: AnsweredTurn): Promise<unknown> {
    const { outputs, errors } = await parseOutputs(this.#options.model, this.#options.task, turn.response, this.#conversation)
    return errors.length === 0 ? outputs : this.#repair(describeErrors(errors), errors, turn)
  }

  /** Asks for the outputs in a turn of their own. */
  #ask(user: string, step: number): Promise<unknown> {
    const { model, task, maxRepairs } = this.#options
    this.#conversation.append({ user })
    return askForOutputsOf(model, { signature: task, conversation: this.#conversation, step, maxRepairs }, this.#scope)
  }

  #repair(user: string, errors: readonly FieldError[], { response }: ModelTurn): undefined {
    if (this.#repairs++ >= this.#options.maxRepairs || isFinal(errors)) throw invalidOutput(errors, response, this.#conversation)
    this.#conversation.append({ user })
  }

  /** A last turn in which the model can only answer; a wrong `submit` may be mended, as ever. */
  async #force(step: number): Promise<unknown> {
    const { ending, model, task } = this.#options
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
      const details = { errors: reasons, rawOutput: turn.response.text, steps: step - 1 }
      throw this.#failure('max_steps', `The task was not done within ${step - 1} steps.`, details)
    }
  }

  async #pause(turn: ModelTurn, step: number, finished: readonly CallOutcome[], pending: readonly PendingCall[]) {
    const { name, pauses, budget } = this.#options
    const run = {
      agent: name,
      runId: this.#scope.id,
      inputs: this.#inputs,
      earlier: this.#earlier,
      messages: this.#conversation.messages,
      forgotten: this.#window.forgotten,
      step,
      response: turn.response,
      finished,
      pending,
      usage: this.#spending.usage,
      budget,
      repairs: this.#repairs,
      unknownCalls: this.unknownCalls,
      results: this.#results.toJSON(),
    }
    return this.#failure('approval_required', waitingWords(pending), { paused: await toPausedRun(run, pauses) })
  }

  #result(outputs: unknown, termination: Termination, steps: number): ReactResult<S> {
    const { usage, cost } = this.#spending
    return {
      outputs: outputs as ReactResult<S>['outputs'],
      trajectory: toTrajectory(this.#conversation.messages),
      termination,
      steps,
      usage,
      ...(cost !== undefined && { cost }),
      unknownCalls: this.unknownCalls,
    }
  }

  #aborted(): AgentError {
    return this.#failure('aborted', 'The run was aborted by the caller.', { cause: this.#scope.signal?.reason })
  }

  #failure(code: AgentErrorCode, message: string, details: AgentErrorOptions): AgentError {
    const trajectory = toTrajectory(this.#conversation.messages)
    return new AgentError(code, message, { ...details, trajectory, unknownCalls: this.unknownCalls })
  }
}
