/** Creates the spans and metrics of one run from its events. */
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import type { LMRequest } from '@x/adapters'
import type { AgentEvent, ReactResult } from '@x/react-agent'
import { errorTypeOf } from '../guarded.ts'
import type { Telemetry } from '../options.ts'
import { CallSpans } from './call-spans.ts'
import { Chat, nameOf, usageAttributes } from './chat.ts'
import { EventClock, Operation } from './operation.ts'

/** The parts of a run's result that are reported in spans. */
export type RunSummary = Pick<ReactResult, 'termination' | 'steps' | 'usage' | 'cost'>

/** Codes of calls that weren't executed. Their outcome is known only when the model's reply is replayed, after a wait or a crash. */
const LATER: ReadonlySet<string | undefined> = new Set(['rejected', 'unknown_outcome'])

export class RunSpans {
  readonly #telemetry: Telemetry
  /** The run's clock. It returns the time at which an event occurred, because events may be read later. */
  readonly #time = new EventClock()
  readonly #clock = this.#time.now
  readonly #run: Operation
  readonly #calls: CallSpans
  #agent: Attributes
  #chat: Chat | undefined
  /** Ids of refused calls. The end of a refused call isn't recorded, because it adds no information. */
  readonly #refused = new Set<string>()
  /** True if the model's last reply came from a journal. Most calls of such a turn that aren't executed have been recorded before. */
  #isReplayed = false

  constructor(telemetry: Telemetry, parent: Context, agentName: string | undefined) {
    const { tracer, asked, conversation } = telemetry
    this.#telemetry = telemetry
    this.#agent = agentName === undefined ? {} : { 'gen_ai.agent.name': agentName }
    this.#calls = new CallSpans(telemetry, this.#clock)
    this.#run = new Operation({
      tracer,
      clock: this.#clock,
      parent,
      kind: SpanKind.INTERNAL,
      name: nameOf('invoke_agent', agentName),
      attributes: { 'gen_ai.operation.name': 'invoke_agent', ...this.#agent, ...asked, ...conversation },
    })
  }

  /** The context in which the span of the run is active. */
  get context(): Context {
    return this.#run.context
  }

  record(event: AgentEvent<RunSummary>): void {
    this.#time.eventTime = event.at
    try {
      this.#recordEvent(event)
    } finally {
      this.#time.eventTime = undefined
    }
  }

  #recordEvent(event: AgentEvent<RunSummary>): void {
    const calls = this.#calls
    switch (event.type) {
      case 'run_started':
        this.#start(event.runId, event.agent)
        break
      case 'model_started':
        this.#ask(event.request)
        break
      case 'delta':
        this.#chat?.noteChunk()
        break
      case 'model_finished':
        this.#isReplayed = this.#chat === undefined
        this.#chat?.end(event.response)
        this.#chat = undefined
        break
      case 'call_started':
        calls.start(event.call, { parent: calls.contextOf(event.parentCallId) ?? this.context, agent: this.#agent })
        break
      case 'call_finished': {
        const { callId, name, ok, code } = event.observation
        const isNew = !this.#isReplayed || LATER.has(code)
        if (!calls.end(event.observation) && isNew && !this.#refused.has(callId))
          this.#run.addEvent('x.call.not_run', { ...calls.attributesOf(callId, name), 'x.call.ok': ok, 'error.type': code })
        break
      }
      case 'call_refused': {
        const { id, name } = event.call
        this.#refused.add(id)
        if (!this.#isReplayed)
          this.#run.addEvent('x.call.refused', { ...calls.attributesOf(id, name), 'x.call.refusal': event.reason })
        break
      }
      case 'approval_requested': {
        const { callId, name, needs } = event.call
        calls.know(name)
        this.#run.addEvent('x.approval.requested', { ...calls.attributesOf(callId, name), 'x.approval.needs': needs })
        break
      }
      case 'approval_decided':
        calls.know(event.name)
        this.#run.addEvent('x.approval.decided', {
          ...calls.attributesOf(event.callId, event.name),
          'x.approval.decision': event.decision,
        })
        break
      case 'history_repaired':
        this.#run.addEvent('x.history.repaired', { 'x.history.repairs': event.repairs.length })
        break
      case 'finished':
        this.#finish(event.result)
        break
    }
  }

  /** Ends the span of a finished run. */
  end(): void {
    this.#end(undefined, undefined)
  }

  /** Ends the span of a run that has rejected. A run that is waiting for approval isn't marked as failed. */
  fail(error: unknown): void {
    const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
    if (code === 'approval_required') {
      this.#run.set({ 'x.run.termination': 'paused' })
      this.end()
      return
    }
    const type = errorTypeOf(error)
    this.#end(type, MODEL_FAILURES.has(code) ? errorTypeOf(cause) : type)
  }

  #start(runId: string, agent: string): void {
    this.#run.set({ 'x.run.id': runId })
    if (this.#agent['gen_ai.agent.name'] !== undefined) return
    this.#agent = { 'gen_ai.agent.name': agent }
    this.#run.set(this.#agent)
    this.#run.rename(nameOf('invoke_agent', agent))
  }

  /**
   * Starts the span of a model request. A run sends one request at a time. If an earlier request is still open, it failed because
   * it exceeded the context window, so its span is ended first.
   */
  #ask(request: LMRequest): void {
    this.#chat?.end(undefined, 'context_overflow')
    this.#chat = new Chat(this.#telemetry, request, { parent: this.context, clock: this.#clock })
    this.#calls.offer(request.tools)
  }

  #finish({ termination, steps, usage, cost }: RunSummary): void {
    this.#run.set({ 'x.run.termination': termination, 'x.run.steps': steps, 'x.run.cost': cost, ...usageAttributes(usage) })
  }

  #end(errorType: string | undefined, modelErrorType: string | undefined): void {
    this.#chat?.end(undefined, modelErrorType)
    this.#calls.endAll(errorType)
    this.#run.end(errorType)
    const { instruments, asked } = this.#telemetry
    const failure = errorType === undefined ? {} : { 'error.type': errorType }
    instruments.agentDuration(this.#run.seconds(), { ...this.#agent, ...asked, ...failure }, this.context)
  }
}

/** Codes of run errors that are caused by a failed model request. */
const MODEL_FAILURES = new Set<unknown>(['model_failed', 'context_overflow'])
