/** Runs the turns of one run: calls the model, executes its calls, and appends the reply and the results. */
import type { Conversation, LMResponse, Message, Observation, RequestOptions } from '@x/adapters'
import { type Tool, type ToolMap, type ToolSpec, toSpec } from '@x/tool-core'
import type { PendingCall } from '../approval/decision.ts'
import { assertOpen, assertPending, toPausedRun, waitingWords } from '../approval/pause.ts'
import type { PausedRun } from '../approval/paused-run.ts'
import { CallGuards } from '../calls/call-guards.ts'
import type { RecordedTools } from '../calls/gone-tool.ts'
import { LargeResults } from '../calls/large-results.ts'
import { RecordedMedia } from '../calls/recorded-media.ts'
import { allOf, runCalls, type TurnOutcome } from '../calls/run-calls.ts'
import { ABORTED, AgentError, type AgentErrorCode, type AgentErrorOptions, withReport } from '../errors.ts'
import { ContextWindow } from '../model/context-window.ts'
import { askModel } from '../model/model.ts'
import { modelDeadline } from '../model/model-deadline.ts'
import { Spending, without } from '../model/spending.ts'
import { effectOf } from '../nested/allowed-tools.ts'
import { OpenRecords } from '../nested/open-records.ts'
import type { LoopOptions } from '../options.ts'
import { describeMalformed, READ_RESULT } from '../prompts.ts'
import { stepsFailed } from '../steps/run-step.ts'
import { withTools } from '../tools/open-tools.ts'
import { type RevealedTools, revealedBy, type SearchRun } from '../tools/search.ts'
import { untilAborted } from '../until-aborted.ts'
import { TOOLS_FIELD } from './act-signature.ts'
import { callIdsOf } from './history.ts'
import type { CallOutcome, Outcomes, UnknownCall } from './outcome.ts'
import { parseReply } from './parse-reply.ts'
import { toTrajectory } from './result.ts'
import type { ModelScope, RunScope, TurnCallScope, TurnScope } from './scope.ts'
import { type AnsweredTurn, type ModelTurn, readTurn, type TurnCall } from './turn.ts'

/** What a run starts from, or continues from. */
interface RunInputs {
  readonly inputs: object
  /** Messages of earlier runs. */
  readonly earlier: readonly Message[]
  readonly search: SearchRun | undefined
  /** Tools that searches of earlier runs revealed. */
  readonly revealed: readonly RevealedTools[]
  readonly paused: PausedRun | undefined
}

type TurnStart = Omit<TurnScope, 'isLast' | 'hasMalformed'>

export class Turns {
  readonly conversation: Conversation
  /** The tools that end the task. */
  readonly endingTools: ToolMap
  readonly spending: Spending
  readonly unknownCalls: UnknownCall[]
  /** Number of output-repair attempts so far. */
  repairs: number
  readonly #options: LoopOptions
  readonly #inputs: object
  readonly #earlier: number
  /**
   * The scope is shared by all turns, since each turn ends before the next one begins. A copy for each turn would cost 5 % of a step in
   * `bench loop`.
   */
  readonly #scope: TurnCallScope
  #tools: ToolMap
  /** The offered tools, and those that the model can call without being offered them. Calls are parsed with their schemas. */
  #callable: { readonly tools: readonly ToolSpec[] }
  readonly #search: SearchRun | undefined
  readonly #seenIds: Set<string>
  readonly #guards: CallGuards
  readonly #results: LargeResults
  readonly #window: ContextWindow
  /** The records made inside the unfinished calls of the turn, by call id. */
  readonly #nested: OpenRecords

  constructor(options: LoopOptions, { inputs, earlier, search, revealed, paused }: RunInputs, scope: RunScope) {
    this.#options = options
    this.#inputs = inputs
    this.#earlier = earlier.length
    this.#search = search
    this.#tools = withTools(options.tools, [...(search ? [search.tool] : []), ...revealed.flatMap(({ tools }) => tools)])
    this.endingTools = withTools(new Map(), options.ending.tools)
    this.#seenIds = new Set(callIdsOf(earlier))
    this.#guards = new CallGuards(options.limits)
    this.#window = new ContextWindow(options.window, earlier.length)
    this.#results = new LargeResults(options.limits.maxResultLength, this.#addsTools, paused?.results)
    this.spending = new Spending(options.budget, options.prices, paused?.usage, scope.outer?.spending)
    this.#nested = new OpenRecords(paused?.nested)
    this.repairs = paused?.repairs ?? 0
    this.unknownCalls = [...(paused?.unknownCalls ?? [])]
    const { maxParallelCalls, maxCallsPerTurn } = options.limits
    this.#scope = {
      ...scope,
      spending: this.spending,
      window: this.#window,
      deadline: modelDeadline(options.modelTimeoutMs, scope.signal),
      step: 0,
      tools: this.#tools,
      isLast: false,
      hasMalformed: false,
      shown: undefined,
      expiresAt: undefined,
      recorded: undefined,
      maxParallelCalls,
      maxCallsPerTurn,
      expiresInMs: options.pauses.expiresInMs,
      guards: this.#guards,
      results: this.#results,
      media: new RecordedMedia(scope.steps),
      unknownCalls: this.unknownCalls,
      searchTool: search?.tool.name,
      recordsOf: (callId) => this.#nested.of(callId),
      hasRecords: (callId) => this.#nested.has(callId),
    }
    const specs = revealed.map(({ after, tools }) => ({ after, tools: tools.map(toSpec) }))
    const { adapter } = options.model
    const begun = { ...inputs, [TOOLS_FIELD]: options.offered } as never
    this.conversation = adapter.begin(options.act, begun, earlier, this.#addsTools ? specs : [])
    this.#callable = this.conversation
    if (!this.#addsTools) for (const { tools } of specs) this.#allow(tools)
  }

  /** True if tools are added to the offered ones during the run. */
  get #addsTools(): boolean {
    return this.#options.search?.addsTools !== false
  }

  get scope(): ModelScope {
    return this.#scope
  }

  /** Asks the model and runs its calls. */
  take(step: number): Promise<AnsweredTurn> {
    return this.#take(step, `model-${step}`, undefined, this.#tools)
  }

  /** Like `take`, but for the last turn, in which only tools that end the task can be called. */
  takeLast(step: number, options: RequestOptions): Promise<AnsweredTurn> {
    return this.#take(step, `last-${step}`, options, this.endingTools)
  }

  async #take(step: number, key: string, options: RequestOptions | undefined, tools: ToolMap): Promise<AnsweredTurn> {
    const { model } = this.#options
    const drained = this.#scope.emit({ type: 'step_started', step })
    // Backpressure must not delay an abort. The request then checks the signal.
    if (drained !== undefined) await untilAborted(drained, this.#scope.signal).catch(() => {})
    let recorded: RecordedTools | undefined
    const onRecorded = (of: RecordedTools) => {
      recorded = of
    }
    const call = { step, key, options, hasCallTool: this.#search !== undefined, tools, onRecorded }
    const response = await askModel(model, this.conversation, call, this.#scope)
    const turn = this.#read(response, step, tools, recorded)
    this.#scope.emit({ type: 'assistant_message', step, response: turn.response })
    return await this.#answer(turn, { step, tools, recorded })
  }

  /** Answers the turn at which the run paused. */
  async takeUp({
    messages,
    earlier,
    forgotten,
    counted,
    step,
    response,
    finished,
    pending,
    decided,
    nested,
    expiresAt,
  }: PausedRun): Promise<AnsweredTurn> {
    const own = messages.slice(earlier + 1)
    for (const id of callIdsOf(own)) this.#seenIds.add(id)
    let start = 0
    for (const { after, tools } of await this.#addedIn(own)) {
      this.conversation.append({ messages: own.slice(start, after) })
      this.#add(tools)
      start = after
    }
    this.conversation.append({ messages: own.slice(start) })
    this.#window.forgetAgain(this.conversation, forgotten)
    this.spending.setLast(response.usage ?? {})
    this.#guards.restore(counted, own, this.#results.toJSON(), { ...this.#scope, tools: this.#tools })
    const over = byCallId(finished)
    const open = [...pending, ...decided.filter(({ callId }) => !over.has(callId))]
    // Calls inside other calls are compared when they are made again.
    await assertPending(
      open.filter(({ parentCallId }) => parentCallId === undefined),
      this.#tools,
    )
    const tools = this.#tools
    const turn = this.#read(response, step, tools)
    assertOpen(turn, nested)
    const shown = new Map<string, PendingCall>()
    for (const call of open) shown.set(call.callId, call)
    return await this.#answer(turn, { step, tools, shown, expiresAt }, over)
  }

  #read(response: LMResponse, step: number, tools: ToolMap, recorded?: RecordedTools): ModelTurn {
    const { model, act } = this.#options
    const parsed = parseReply(model.adapter, act, response, this.#callable)
    const found = { tools, endingTools: this.endingTools, hasCallTool: this.#search !== undefined, recorded }
    return readTurn(parsed as never, step, this.#seenIds, found)
  }

  /** Runs the calls of a turn, and adds the turn and the results to the conversation. */
  async #answer(turn: ModelTurn, of: TurnStart, finished?: Outcomes): Promise<AnsweredTurn> {
    const { outcomes, failure } = await this.#runCalls(turn, of, finished)
    this.#nested.clear()
    this.#note(turn, outcomes)
    const answered = this.conversation.messages.length
    this.#append(turn, outcomes)
    if (this.#search !== undefined || (!this.#results.isEmpty && !this.#tools.has(READ_RESULT)))
      for (const { tools } of await this.#addedIn(this.conversation.messages.slice(answered))) this.#add(tools)
    if (this.#scope.signal?.aborted) throw this.aborted()
    // The decision about a call inside another call was invalid.
    if (failure?.cause instanceof AgentError) throw this.withReport(failure.cause)
    if (failure !== undefined) throw this.#stepsFailed(failure.cause)
    if (outcomes.length > 0 && turn.malformed.length > 0) this.conversation.append({ user: describeMalformed(turn.malformed) })
    const { response, calls, malformed, faults } = turn
    return { response, calls, malformed, faults, outcomes }
  }

  async #runCalls(turn: ModelTurn, of: TurnStart, finished?: Outcomes): Promise<TurnOutcome> {
    const { step, tools, shown, expiresAt, recorded } = of
    // Assigned one by one, because `Object.assign` costs 2 % of a step in `bench loop`.
    const scope = this.#scope
    scope.step = step
    scope.tools = tools
    scope.isLast = tools === this.endingTools
    scope.hasMalformed = turn.malformed.length > 0
    scope.shown = shown
    scope.expiresAt = expiresAt
    scope.recorded = recorded
    let ran: TurnOutcome
    try {
      ran = await runCalls(turn.calls, this.#scope, finished)
    } catch (cause) {
      if (finished !== undefined) this.#appendAll(turn, finished)
      if (this.#scope.signal?.aborted) throw this.aborted()
      throw cause instanceof AgentError ? cause : this.#stepsFailed(cause)
    }
    if (ran.waiting.length > 0) throw await this.#pause(turn, step, ran)
    return ran
  }

  /** Adds a turn that was interrupted. */
  #appendAll(turn: ModelTurn, outcomes: Outcomes): void {
    this.#append(turn, allOf(turn.calls, outcomes, this.#scope))
  }

  /** Adds a turn as the model wrote it. The result of a call has the name that the model called, even if that is `call_tool`. */
  #append({ response, calls }: ModelTurn, outcomes: readonly CallOutcome[]): void {
    const observations = outcomes.map(({ observation }, index): Observation => {
      const written = calls[index]?.written
      return written === undefined ? observation : { ...observation, name: written.name }
    })
    this.conversation.append({ response, observations })
  }

  #stepsFailed(cause: unknown): AgentError {
    return this.withReport(stepsFailed(cause))
  }

  /** Passes the results to the call guards, and keeps long results for `read_result`. */
  #note({ calls }: ModelTurn, outcomes: readonly CallOutcome[]): void {
    for (let index = 0; index < calls.length; index++) {
      const turnCall = calls[index] as TurnCall
      const { observation, whole, isRejected } = outcomes[index] as CallOutcome
      if ('call' in turnCall && !turnCall.isEnding && !isRejected && !this.#isRefused(observation))
        this.#guards.note(
          turnCall.raw,
          effectOf(turnCall.tool, this.#scope),
          whole === undefined ? observation : { ...observation, text: whole },
        )
      if (whole !== undefined) this.#results.keep(observation.callId, whole)
    }
  }

  /** Returns true for a call that the guards refused, or that failed because `approve` refused a call that its tool made. */
  #isRefused({ code }: Observation): boolean {
    if (code === 'approval_required') return this.#scope.approve !== undefined
    return code === 'repeated_call' || code === 'failing_tool' || code === 'too_many_calls'
  }

  /** Returns the tools that the results in these messages make available: those found by a search, and `read_result`. */
  async #addedIn(messages: readonly Message[]): Promise<readonly RevealedTools[]> {
    const revealed = await revealedBy(this.#search, messages, this.#scope.signal)
    const isLong = (message: Message) => message.role === 'tool' && this.#results.has(message.callId)
    const long = this.#tools.has(READ_RESULT) ? -1 : messages.findIndex(isLong)
    if (long === -1) return revealed
    const next = messages.findIndex(({ role }, index) => index > long && role !== 'tool')
    const reading: RevealedTools = { after: next === -1 ? messages.length : next, tools: [this.#results.tool] }
    return [...revealed, reading].sort((one, other) => one.after - other.after)
  }

  /** Makes tools available, starting with the next request. */
  #add(tools: readonly Tool[]): void {
    this.#tools = withTools(this.#tools, tools)
    const specs = tools.map(toSpec)
    if (this.#addsTools) this.conversation.reveal(specs)
    else this.#allow(specs)
  }

  #allow(specs: readonly ToolSpec[]): void {
    if (specs.length > 0) this.#callable = { tools: [...this.#callable.tools, ...specs] }
  }

  async #pause(turn: ModelTurn, step: number, ran: TurnOutcome) {
    const { outcomes, waiting, decided, expiresAt, openUsage = {}, cause: unasked } = ran
    const { name, pauses, budget } = this.#options
    for (const { observation } of outcomes) this.#nested.drop(observation.callId)
    const run = {
      agent: name,
      runId: this.#scope.id,
      inputs: this.#inputs,
      earlier: this.#earlier,
      messages: this.conversation.messages,
      forgotten: this.#window.forgotten,
      step,
      response: turn.response,
      finished: outcomes.map(({ data: _, ...outcome }) => outcome),
      pending: waiting,
      decided,
      expiresAt,
      nested: this.#nested.toJSON(),
      usage: without(this.spending.usage, openUsage),
      budget,
      repairs: this.repairs,
      unknownCalls: this.unknownCalls,
      results: this.#results.toJSON(),
      counted: this.#guards.toJSON(),
    }
    try {
      const paused = await toPausedRun(run, pauses)
      return this.failure('approval_required', waitingWords(waiting), { paused, cause: unasked })
    } catch (cause) {
      this.#appendAll(turn, byCallId(outcomes))
      const words = 'The run cannot pause, because JSON cannot represent its data.'
      return this.failure('invalid_paused_run', words, { cause })
    }
  }

  /** Adds the run's trajectory, usage and unknown calls to the error. */
  withReport(error: AgentError): AgentError {
    const { usage, cost } = this.spending
    const trajectory = toTrajectory(this.conversation.messages)
    return withReport(error, { trajectory, unknownCalls: this.unknownCalls, usage, cost })
  }

  aborted(): AgentError {
    return this.failure('aborted', ABORTED, { cause: this.#scope.signal?.reason })
  }

  failure(code: AgentErrorCode, message: string, details: AgentErrorOptions): AgentError {
    return this.withReport(new AgentError(code, message, details))
  }
}

function byCallId(outcomes: readonly CallOutcome[]): Outcomes {
  const found = new Map<string, CallOutcome>()
  for (const outcome of outcomes) found.set(outcome.observation.callId, outcome)
  return found
}
