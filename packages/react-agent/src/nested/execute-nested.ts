/** Executes a call whose tool makes calls itself, until the call has a result or waits for decisions. */
import { type CallOptions, DEFAULT_TIMEOUT_MS, onAbort, type Tool, type ToolResult } from '@x/tool-core'
import type { PendingCall } from '../approval/decision.ts'
import { type Gate, neverShown, waitFor } from '../approval/gate.ts'
import { idempotencyKeyOf, nestedPrefix } from '../calls/call-ids.ts'
import { callOptions, wasAborted } from '../calls/call-options.ts'
import type { CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { CallScope, OuterCall } from '../loop/scope.ts'
import type { ReadCall } from '../loop/turn.ts'
import { isModelUsage, type Spending } from '../model/spending.ts'
import { aborted, NOT_UNDONE, nestedDataTooLarge, nestedTooDeep, timedOut, toErrorObservation } from '../prompts.ts'
import { Deadline } from './deadline.ts'
import { INNER, type InnerRun, innerRun } from './inner-run.ts'
import { MAX_LEVELS, type Stop } from './limits.ts'
import { Interrupted, MAX_RECORDED, NestedSteps, runAgain, toInterruption } from './nested-steps.ts'
import { isQuestion, type OpenCall, scopeOf } from './open-call.ts'
import { Program } from './program.ts'
import { recordedAnswerOf } from './questions.ts'
import { type Ended, isWaiting, type WaitingCall } from './waiting.ts'
import { watchedTool } from './watched-tool.ts'

/** Callbacks that execute the call and the calls inside it. */
export interface NestedCalls {
  /** Rejects with `agent_changed` if the call was shown in an earlier execution and its tool has changed since. */
  readonly assertUnchanged?: (() => Promise<void>) | undefined
  /** Runs the tool: prepares the call if it isn't prepared yet, and executes it. */
  run(tool: Tool, options: CallOptions): Promise<ToolResult>
  toOutcome(result: ToolResult): CallOutcome
  /** Executes a call that the tool makes. */
  execute(call: ReadCall, scope: CallScope, gate: Gate | undefined): Promise<CallOutcome | WaitingCall>
}

/**
 * Executes the call until it has an outcome or has to wait. Each execution is recorded with its outcome or with the decisions that it is
 * waiting for, so that a replay doesn't repeat it. Rejects like `steps`, and with errors about invalid decisions.
 */
export async function executeNested(
  { call, hasEnded, isUnasked }: ReadCall,
  tool: Tool,
  scope: CallScope,
  calls: NestedCalls,
): Promise<CallOutcome | WaitingCall> {
  const { media, signal } = scope
  if ((scope.outer?.level ?? 0) >= MAX_LEVELS)
    return { observation: toErrorObservation(call.id, call.name, nestedTooDeep(call.name, MAX_LEVELS), 'nesting_too_deep') }
  for (let round = 0; ; round++) {
    let execution: Execution | undefined
    let failure: { readonly cause: unknown } | undefined
    const spending = scope.spending.ofCall()
    let ended: Ended
    try {
      const execute = async (): Promise<Ended> => {
        if (isUnasked) throw neverShown(call.id)
        if (calls.assertUnchanged !== undefined) await calls.assertUnchanged()
        execution = new Execution(call, tool, { ...scope, spending }, calls)
        return await execution.run().catch((cause: unknown) => {
          failure = { cause }
          throw toInterruption(cause)
        })
      }
      ended = await runAgain(() => media.run(`${nestedPrefix(call.id)}execution-${round}`, execute))
    } catch (cause) {
      await execution?.quiet()
      scope.unknownCalls.push(...(execution?.unknownCalls ?? []))
      if (signal?.aborted)
        return { observation: toErrorObservation(call.id, call.name, `${aborted(call.name)} ${NOT_UNDONE}`, 'aborted') }
      const error = failure === undefined ? cause : failure.cause
      throw error instanceof Interrupted ? error.cause : error
    }
    if (!isWaiting(ended)) return finished(ended, scope, execution === undefined)
    const isRecorded = execution === undefined
    // From here on, the call counts as started, even if another process executed it.
    if (scope.outer === undefined) scope.recordsOf(call.id)
    if (isRecorded && hasEnded) continue
    if (!(await hasNewDecision(ended.waiting, scope, isRecorded))) {
      if (isRecorded && ended.usage !== undefined) scope.spending.addOfCall(ended.usage)
      return ended
    }
    spending.takeBack()
  }
}

/** Collects a finished call's unknown calls. Also counts the usage if the outcome was recorded, as it isn't counted yet. */
function finished(outcome: CallOutcome, { unknownCalls, spending }: CallScope, isRecorded: boolean): CallOutcome {
  unknownCalls.push(...(outcome.nestedUnknown ?? []))
  if (isRecorded && outcome.usage !== undefined) spending.addOfCall(outcome.usage)
  return outcome
}

/**
 * Returns true if the call can continue, because a decision has been made that the execution didn't have. Registers the missing decisions
 * with the engine. A recorded execution doesn't show decisions from other sources, so the next execution finds them in its own records.
 */
async function hasNewDecision(waiting: readonly PendingCall[], scope: CallScope, isRecorded: boolean): Promise<boolean> {
  if (isRecorded && (scope.approve ?? scope.decisions) !== undefined) return true
  let isAny = false
  for (const call of waiting) if ((await waitFor(call, scope)) !== undefined) isAny = true
  return isAny
}

/** One execution of the tool, from the start. */
class Execution {
  /** Calls inside this one that may or may not have taken effect. */
  readonly unknownCalls: UnknownCall[] = []
  readonly #tool: Tool
  readonly #call: ReadCall['call']
  readonly #scope: CallScope
  readonly #calls: NestedCalls
  readonly #program: Program
  readonly #host: object
  readonly #inner: InnerRun
  readonly #deadline: Deadline
  readonly #ofTool = new AbortController()
  readonly #ofCalls = new AbortController()
  #stop: Stop | undefined
  #onStop: () => void = () => {}
  readonly #stopped: Promise<undefined>
  #paused: WaitingCall | undefined
  /** The failure of an inner agent. Set only if the reason was outside the agent's control. */
  #failure: { readonly cause: unknown } | undefined

  constructor(call: ReadCall['call'], tool: Tool, scope: CallScope, calls: NestedCalls) {
    this.#tool = tool
    this.#call = call
    this.#scope = scope
    this.#calls = calls
    this.#stopped = new Promise((resolve) => {
      this.#onStop = () => resolve(undefined)
    })
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool
    this.#deadline = new Deadline(timeoutMs, () =>
      this.#end({ code: 'timeout', message: timedOut(tool.name, timeoutMs), isUrgent: true }),
    )
    const isRoot = scope.outer === undefined
    const steps = new NestedSteps({
      steps: scope.steps,
      callId: call.id,
      records: isRoot ? scope.recordsOf(call.id) : undefined,
      onFull: () =>
        this.#end({ code: 'nested_data_too_large', message: nestedDataTooLarge(tool.name, MAX_RECORDED / 1024 / 1024) }),
    })
    const outer: OuterCall = {
      level: (scope.outer?.level ?? 0) + 1,
      running: [...(scope.outer?.running ?? []), tool],
      spending: scope.spending,
      wasKnown: (key) => steps.wasKnown(key) || (scope.outer?.wasKnown(steps.outerKey(key)) ?? false),
      note(key) {
        steps.note(key)
        scope.outer?.note(steps.outerKey(key))
      },
    }
    const placed = steps.scopeIn(scope)
    const { approve } = placed
    const inside: CallScope = {
      ...placed,
      approve: approve && ((asked, signal) => this.#deadline.without(() => approve(asked, signal))),
      id: idempotencyKeyOf(scope.id, call.id),
      signal: this.#ofCalls.signal,
      // The result of a call by a program has no images or files, so only its steps record it.
      media: steps,
      isProgram: true,
      outer,
      unknownCalls: this.unknownCalls,
    }
    const inner = innerRun({
      callId: call.id,
      steps,
      outer,
      scope: { ...inside, emit: scope.emit },
      onPause: (waiting) => {
        this.#paused = waiting
      },
      onFail: (error) => {
        this.#failure = { cause: error.code === 'steps_failed' ? error.cause : error }
      },
    })
    this.#program = new Program({
      caller: { callId: call.id, tool, running: outer.running, run: scope },
      scope: inside,
      steps,
      execute: (open) => this.#execute(open, inside),
      onStop: (stop) => this.#end(stop),
    })
    const program = this.#program
    this.#host = {
      call: (request: never) => program.call(request),
      ask: (question: never) => program.ask(question),
      run: (hosted: never) => program.run(hosted),
      [INNER]: inner,
    }
    this.#inner = inner
  }

  async run(): Promise<Ended> {
    const { signal } = this.#scope
    const stopListening = signal && onAbort(signal, () => this.#abort())
    if (signal?.aborted) this.#abort()
    const result = this.#runTool()
    try {
      const waiting = await Promise.race([this.#program.play(), this.#stopped])
      if (this.#stop === undefined) {
        if (this.#failure !== undefined) throw this.#failure.cause
        const paused = waiting ?? this.#paused
        if (paused !== undefined) return { ...paused, usage: this.#usage }
        const ended = await result
        // The signal may fire after the program has ended, in a hook or in `toModelOutput`. An aborted call isn't recorded.
        if (wasAborted(ended, signal)) throw signal?.reason
        return this.#outcomeOf(this.#calls.toOutcome(ended))
      }
      await this.quiet()
      if (signal?.aborted) throw signal.reason
      const { code, message } = this.#stop
      return this.#outcomeOf({ observation: toErrorObservation(this.#call.id, this.#call.name, message, code) })
    } finally {
      this.#program.end()
      this.#deadline.end()
      stopListening?.()
      this.#ofTool.abort(new Error('The call has ended or is waiting for a decision.'))
    }
  }

  /** Resolves when none of the inner calls is running. */
  quiet(): Promise<void> {
    return this.#program.quiet()
  }

  #runTool(): Promise<ToolResult> {
    const { spending } = this.#scope
    const options = callOptions(this.#call, this.#scope, (update) => {
      // An agent that joined the outer run has already counted its usage there.
      if (isModelUsage(update) && !this.#inner.hasJoined) spending.addOfCall(update.usage)
    })
    const isOver = () => this.#ofTool.signal.aborted
    const onReturn = () => {
      this.#deadline.end()
      this.#program.returned()
    }
    const watched = watchedTool(this.#tool, { isOver, onStart: () => this.#deadline.start(), onReturn })
    const result = this.#calls.run(watched, { ...options, signal: this.#ofTool.signal, nested: this.#host as never })
    // The call may have failed before the tool was executed.
    result.then(onReturn, onReturn)
    return result
  }

  async #execute(call: OpenCall, inside: CallScope): Promise<CallOutcome | WaitingCall> {
    const { id, name, args, tool, refusal, gate, token, mayWrite, hasEnded, isUnasked } = call
    const started = performance.now()
    const scope = scopeOf(call, inside)
    const turnCall: ReadCall = {
      raw: { id, name, arguments: '' },
      call: { id, name, args },
      tool,
      isEnding: false,
      token,
      mayWrite,
      isUnasked,
      hasEnded,
    }
    const ended =
      refusal ?? (await (isQuestion(call) ? recordedAnswerOf(call, gate, scope) : this.#calls.execute(turnCall, scope, gate)))
    if (isWaiting(ended)) return ended
    inside.outer?.note(`ended-${id}`)
    const decided = gate?.type === 'decided' ? gate.call : undefined
    const { observation } = ended
    const ms = performance.now() - started
    scope.emit({ type: 'call_finished', step: scope.step, ms, turnCall, outcome: ended, observation, decided })
    return ended
  }

  /** Usage so far. Undefined if there is none. */
  get #usage(): Spending['usage'] | undefined {
    const { usage } = this.#scope.spending
    return Object.keys(usage).length === 0 ? undefined : usage
  }

  #outcomeOf(outcome: CallOutcome): CallOutcome {
    const { unknownCalls } = this
    const usage = this.#usage
    return { ...outcome, ...(usage && { usage }), ...(unknownCalls.length > 0 && { nestedUnknown: [...unknownCalls] }) }
  }

  #abort(): void {
    this.#end({ code: 'aborted', message: aborted(this.#call.name), isUrgent: true })
  }

  #end(stop: Stop): void {
    const reason = this.#scope.signal?.reason ?? new Error(stop.message)
    // Also ends the calls that an earlier stop left running.
    if (stop.isUrgent) this.#ofCalls.abort(reason)
    if (this.#stop !== undefined) return
    this.#stop = stop
    this.#program.end()
    this.#ofTool.abort(reason)
    this.#onStop()
  }
}
