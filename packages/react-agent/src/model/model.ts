/** Sends one request to the model: streamed or not, recorded in the journal, within the budget and timeout, and abortable. */
import {
  type Adapter,
  type Conversation,
  DeltaCollector,
  type Forgotten,
  type LM,
  type LMDelta,
  type LMRequest,
  type LMResponse,
  type RequestOptions,
} from '@x/adapters'
import { type ArgumentStream, argumentStream } from '@x/adapters/arguments'
import { isRepeatable, type ToolMap } from '@x/tool-core'
import type { RecordedTools, ToolRecord } from '../calls/gone-tool.ts'
import { ABORTED, AgentError, wordsOf } from '../errors.ts'
import { toTrajectory } from '../loop/result.ts'
import type { ModelScope } from '../loop/scope.ts'
import { CALL_TOOL } from '../prompts.ts'
import type { Emit } from '../run-event.ts'
import { isStepsFailure, runStep } from '../steps/run-step.ts'
import { directSteps } from '../steps/steps.ts'
import { type CompleteValue, innerArguments, innerCall, type StreamedArgument } from '../tools/call-tool.ts'
import { untilAborted } from '../until-aborted.ts'
import { isTooLong, MAX_ATTEMPTS } from './context-window.ts'

export interface ModelOptions {
  readonly lm: LM
  readonly adapter: Adapter
  /** Request options other than the messages. */
  readonly request: Pick<RequestOptions, 'settings' | 'search' | 'strictTools' | 'providerOptions'>
  /** Streams the response, so that deltas become events. */
  readonly stream?: boolean | undefined
}

/** One request of a run. */
export interface ModelCall {
  readonly step: number
  /** Key of the response in the journal. */
  readonly key: string
  readonly options?: RequestOptions | undefined
  /** True if the model calls tools with `call_tool`. */
  readonly hasCallTool?: boolean | undefined
  /** The tools that the model can call. Recorded with the response: which of them require approval, and which called tools don't exist. */
  readonly tools?: ToolMap | undefined
  /** Called with the recorded facts about the tools. In a replay, the current tools may differ. */
  onRecorded?(recorded: RecordedTools): void
}

/**
 * Sends a request to the model and returns the response. Rejects with `budget_exceeded`, `context_overflow`, `model_failed` or `aborted`.
 * The error contains the trajectory so far. A request that is too long for the model is retried without its oldest turns.
 */
export async function askModel(
  model: ModelOptions,
  conversation: Conversation,
  call: ModelCall,
  scope: ModelScope,
): Promise<LMResponse> {
  const { spending, window, steps, signal, emit } = scope
  const fail = (code: AgentError['code'], message: string, cause?: unknown) =>
    new AgentError(code, message, { cause, trajectory: toTrajectory(conversation.messages) })
  const shorten = async () => {
    const summarized = (range: string, write: () => Promise<string>) =>
      runStep(steps, `summary-${call.key}-${range}`, () => untilAborted(write(), signal), signal)
    try {
      return (await window?.shorten(conversation, summarized)) === true
    } catch (cause) {
      if (signal?.aborted) throw fail('aborted', ABORTED, signal.reason)
      throw isStepsFailure(cause) ? cause : fail('callback_failed', `summarize failed: ${wordsOf(cause)}`, cause)
    }
  }
  const isNearlyFull = window !== undefined && spending !== undefined && spending.lastTokens > window.maxTokens
  for (let attempt = 0; ; attempt++) {
    try {
      if (attempt === 0 && isNearlyFull) await shorten()
      const response = await request(model, conversation, call, scope)
      const ignored = spending?.add(response.usage) ?? []
      if (ignored.length > 0) emit({ type: 'usage_ignored', step: call.step, amounts: ignored })
      emit({ type: 'model_finished', step: call.step, response })
      return response
    } catch (cause) {
      if (cause instanceof AgentError) throw cause.trajectory ? cause : fail(cause.code, cause.message, cause.cause)
      if (signal?.aborted) throw fail('aborted', ABORTED, signal.reason)
      if (!isTooLong(cause)) throw fail('model_failed', wordsOf(cause), cause)
      if (attempt === MAX_ATTEMPTS || !(await shorten()))
        throw fail(
          'context_overflow',
          'The conversation does not fit the context window, even without its oldest turns. Shorten inputs or tool results.',
          cause,
        )
    }
  }
}

async function request(
  { lm, request: always, stream }: ModelOptions,
  conversation: Conversation,
  { step, key, options, hasCallTool, tools, onRecorded }: ModelCall,
  scope: ModelScope,
): Promise<LMResponse> {
  const { steps, signal: caller, deadline, emit, spending } = scope
  const sent = conversation.request(options === undefined ? always : { ...always, ...options })
  const signal = deadline?.signal ?? caller
  caller?.throwIfAborted()
  const ask = async () => {
    // Checked only before a request is actually sent, so that a lower budget doesn't end a replay.
    const usedUp = spending?.usedUp()
    if (usedUp !== undefined) throw new AgentError('budget_exceeded', usedUp)
    emit({ type: 'model_started', step, request: sent })
    const isStreamed = stream === true && lm.stream !== undefined
    const reply = isStreamed ? collect(lm, sent, deltaEvents(emit, step, hasCallTool), scope) : lm.generate(sent, { signal })
    // This runs inside the step, so a replay gets the recorded response without a timeout. A failed reply isn't recorded.
    const response = await (deadline === undefined ? untilAborted(reply, caller) : deadline.hold(reply, caller))
    assertWhole(response)
    return response
  }
  if (steps === directSteps) return await ask()
  const { window } = scope
  let isNew = false
  const record = async () => {
    const reply = await ask()
    isNew = true
    return toRecord(reply, { forgotten: window?.forgotten, ...(tools && toolsOf(reply, tools, hasCallTool)) })
  }
  const { forgotten, approvals, writes, unknown, ...response } = await runStep(steps, key, record, caller)
  onRecorded?.({ approvals, writes, unknown, isNew })
  // A replay sends no request that could be too long, so it leaves out the same messages as the recorded run.
  if (forgotten !== undefined) window?.forgetAgain(conversation, forgotten)
  return response
}

interface Recorded extends ToolRecord {
  readonly forgotten?: readonly Forgotten[] | undefined
}

function toolsOf({ toolCalls }: LMResponse, tools: ToolMap, hasCallTool = false): ToolRecord {
  const called = toolCalls.map((call) => (hasCallTool ? innerCall(call) : call).name)
  const approvals: string[] = []
  const writes: string[] = []
  for (const { name, needsApproval, effect } of tools.values()) {
    if (needsApproval) approvals.push(name)
    if (!isRepeatable(effect) && called.includes(name)) writes.push(name)
  }
  const unknown = called.filter((name) => !tools.has(name))
  return { approvals, ...(writes.length > 0 && { writes }), ...(unknown.length > 0 && { unknown }) }
}

/** Returns the record for the journal. `raw` is left out, because it may not be plain data. */
function toRecord({ raw: _raw, ...response }: LMResponse, { forgotten = [], ...tools }: Recorded): LMResponse & Recorded {
  return { ...response, ...(forgotten.length > 0 && { forgotten }), ...tools }
}

async function collect(
  lm: LM,
  request: LMRequest,
  onDelta: (delta: LMDelta) => void | Promise<void>,
  { deadline, signal: caller }: ModelScope,
): Promise<LMResponse> {
  const signal = deadline?.signal ?? caller
  const collector = new DeltaCollector()
  for await (const delta of (lm as Required<LM>).stream(request, { signal })) {
    // The model may ignore the signal. Throwing here closes its iterator.
    signal?.throwIfAborted()
    collector.push(delta)
    const drained = onDelta(delta)
    // Time spent on backpressure doesn't count toward the model timeout.
    if (drained !== undefined) await (deadline === undefined ? drained : deadline.without(drained))
  }
  return collector.response()
}

/** Throws if the provider's reply is incomplete or contains an error. */
function assertWhole({ error, finishReason, rawFinishReason }: LMResponse): void {
  if (error) throw Object.assign(new Error(error.message), { providerCode: error.code })
  if (finishReason === 'error')
    throw new Error(`The reply of the model is incomplete${rawFinishReason ? ` (${rawFinishReason})` : ''}.`)
}

interface OpenCall {
  readonly callId: string
  readonly stream: ArgumentStream
  toArguments(argument: CompleteValue): readonly StreamedArgument[]
}

/** Returns the events of one response: each delta, and an `argument` event for each value that it completes. */
function deltaEvents(emit: Emit, step: number, hasCallTool = false): (delta: LMDelta) => void | Promise<void> {
  const open = new Map<number, OpenCall>()
  return (delta) => {
    const drained = emit({ type: 'delta', step, delta })
    if (delta.type === 'call_start') {
      const { id: callId, name } = delta
      const isInner = hasCallTool && name === CALL_TOOL
      const toArguments = isInner ? innerArguments() : ({ pointer, value }: CompleteValue) => [{ name, pointer, value }]
      open.set(delta.index, { callId, stream: argumentStream(), toArguments })
    } else if (delta.type === 'call_end') open.delete(delta.index)
    else if (delta.type === 'arguments') {
      const call = open.get(delta.index)
      if (call === undefined) return drained
      const { callId, stream, toArguments } = call
      for (const { pointer, value, isComplete } of stream.push(delta.text)) {
        if (!isComplete || pointer === '') continue
        for (const argument of toArguments({ pointer, value })) emit({ type: 'argument', step, callId, ...argument })
      }
    }
    return drained
  }
}
