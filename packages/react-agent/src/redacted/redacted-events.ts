/** The events of a run without private content, for example to send to a browser. */
import { boundOutput, redactValue, type Tool } from '@x/tool-core'
import type { Decision, PendingCall } from '../approval/decision.ts'
import { type AgentErrorCode, isAgentError } from '../errors.ts'
import type { AgentEvent } from '../events.ts'
import type { RefusalReason } from '../loop/outcome.ts'
import type { ReactResult, Termination } from '../loop/result.ts'

/**
 * A run event with prompts, messages, reasoning and the content of calls removed. `args`, `update`, `output` and the error `message` are
 * included only for tools in `show`, with secrets redacted.
 */
export type RedactedEvent = { readonly at?: number | undefined; readonly parentCallId?: string | undefined } & (
  | { readonly type: 'run_started'; readonly runId: string; readonly agent: string }
  | { readonly type: 'step_started'; readonly step: number }
  | { readonly type: 'model_started'; readonly step: number }
  | { readonly type: 'model_finished'; readonly step: number }
  | ({ readonly type: 'approval_requested'; readonly needs: PendingCall['needs']; readonly args?: unknown } & CallOfStep)
  | ({ readonly type: 'approval_decided'; readonly decision: Decision['type'] } & CallOfStep)
  | ({ readonly type: 'call_started'; readonly args?: unknown } & CallOfStep)
  | ({ readonly type: 'call_progress'; readonly update: unknown } & CallOfStep)
  | ({ readonly type: 'call_refused'; readonly reason: RefusalReason } & CallOfStep)
  | ({ readonly type: 'call_finished'; readonly ms: number } & CallOfStep & RedactedResult)
  | { readonly type: 'finished'; readonly outputs: unknown; readonly termination: Termination; readonly steps: number }
  /** The run rejected. With the code `approval_required`, it is paused. Always the last event. */
  | { readonly type: 'failed'; readonly code?: AgentErrorCode | undefined }
)

interface CallOfStep {
  readonly step: number
  readonly callId: string
  readonly name: string
}

type RedactedResult =
  | { readonly ok: true; readonly output?: unknown }
  | { readonly ok: false; readonly code: string; readonly message?: string | undefined }

export interface RedactedEventsOptions {
  /**
   * Tools whose arguments, progress, outputs and error messages are included, with secrets redacted. Found by name, even in inner agents.
   * Default: none.
   */
  readonly show?: readonly Tool[] | undefined
}

/**
 * Yields the events of a run without prompts, reasoning, recognizable secrets or run-scoped values. Ends with `finished` or `failed`, and
 * doesn't throw if the run rejects. List a tool in `show` only if the readers of the events may see its output, because a run-scoped value
 * in an output isn't recognized.
 */
export async function* redactedEvents(
  events: AsyncIterable<AgentEvent>,
  { show = [] }: RedactedEventsOptions = {},
): AsyncGenerator<RedactedEvent, void, undefined> {
  const view = new View(show)
  try {
    for await (const event of events) {
      const redacted = view.redact(event)
      if (redacted !== undefined) yield { ...redacted, at: event.at, parentCallId: event.parentCallId }
    }
  } catch (error) {
    yield { type: 'failed', code: isAgentError(error) ? error.code : undefined }
  }
}

const UNKNOWN = 'unknown_tool'

class View {
  readonly #shown = new Map<string, Tool>()
  /** Names of the calls so far, by call id. */
  readonly #names = new Map<string, string>()
  /** The tools that requests offered, and those with calls that require approval. Empty in text mode and during a replay. */
  readonly #offered = new Set<string>()

  constructor(show: readonly Tool[]) {
    for (const tool of show) this.#shown.set(tool.name, tool)
  }

  /**
   * Returns the redacted event, or undefined for an event that is left out. Fields are copied one by one, so that a new field isn't exposed
   * by mistake.
   */
  redact(event: AgentEvent): RedactedEvent | undefined {
    switch (event.type) {
      case 'run_started':
        return { type: event.type, runId: event.runId, agent: event.agent }
      case 'model_started':
        for (const { function: tool } of event.request.tools ?? []) this.#offered.add(tool.name)
        return { type: event.type, step: event.step }
      case 'step_started':
      case 'model_finished':
        return { type: event.type, step: event.step }
      case 'approval_requested': {
        const { callId, name, needs, args } = event.call
        // Only a call of a tool that exists is shown for approval.
        if (this.#offered.size > 0) this.#offered.add(name)
        return { type: event.type, ...this.#call(event.step, callId, name), needs, ...this.#args(name, args) }
      }
      case 'approval_decided':
        if (this.#offered.size > 0) this.#offered.add(event.name)
        return { type: event.type, ...this.#call(event.step, event.callId, event.name), decision: event.decision }
      case 'call_started': {
        const { id, name, args } = event.call
        return { type: event.type, ...this.#call(event.step, id, name), ...this.#args(name, args) }
      }
      case 'call_progress': {
        if (!this.#shown.has(this.#names.get(event.callId) ?? '')) return undefined
        return { type: event.type, ...this.#call(event.step, event.callId), update: redactValue(boundOutput(event.update).value) }
      }
      case 'call_refused': {
        const { id, name } = event.call
        return { type: event.type, ...this.#call(event.step, id, name), reason: event.reason }
      }
      case 'call_finished': {
        const { type, step, callId, name, ms } = event
        return { type, ...this.#call(step, callId, name), ms, ...this.#result(event) }
      }
      case 'finished': {
        const { outputs, termination, steps } = event.result as ReactResult
        return { type: event.type, outputs: redactValue(outputs), termination, steps }
      }
    }
    return undefined
  }

  /** Ids and names come from the model, so they may contain anything. The name is left out if no known tool has it. */
  #call(step: number, callId: string, given?: string): CallOfStep {
    if (given !== undefined) this.#names.set(callId, given)
    const name = given ?? this.#names.get(callId) ?? UNKNOWN
    const isKnown = this.#offered.size === 0 || this.#offered.has(name) || this.#shown.has(name)
    return { step, callId: textOf(callId), name: isKnown ? textOf(name) : UNKNOWN }
  }

  #args(name: string, args: unknown): { readonly args?: unknown } {
    const tool = this.#shown.get(name)
    return tool === undefined ? {} : { args: redactValue(args, tool.args) }
  }

  #result(event: Extract<AgentEvent, { type: 'call_finished' }>): RedactedResult {
    const tool = this.#shown.get(event.name)
    if (event.ok) return { ok: true, ...(tool !== undefined && { output: redactValue(event.output, tool.output) }) }
    const { code, message } = event.error
    return { ok: false, code, ...(tool !== undefined && { message: textOf(message) }) }
  }
}

function textOf(text: string): string {
  return redactValue(text) as string
}
