/** Creates the spans and metrics for one run's tool calls. */
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import type { LMRequest, Observation } from '@x/adapters'
import { identifierOf, OTHER } from '../guarded.ts'
import type { Telemetry } from '../options.ts'
import { nameOf } from './chat.ts'
import { type Clock, Operation } from './operation.ts'

export class CallSpans {
  readonly #telemetry: Telemetry
  readonly #clock: Clock
  readonly #open = new Map<string, OpenCall>()
  /** Names of the tools that were offered in requests. Empty in text mode, where requests have no list of tools. */
  readonly #offered = new Set<string>()
  #lastOffer: LMRequest['tools']
  /** Names of tools that exist although no request offered them, such as those that programs and inner agents call. */
  readonly #called = new Set<string>()

  constructor(telemetry: Telemetry, clock: Clock) {
    this.#telemetry = telemetry
    this.#clock = clock
  }

  /** Adds the names of a request's tools. Returns at once if the list is the same as in the last request. */
  offer(tools: LMRequest['tools']): void {
    if (tools === this.#lastOffer) return
    this.#lastOffer = tools
    for (const { function: tool } of tools ?? []) this.#offered.add(tool.name)
  }

  /** Adds the name of a tool that exists. */
  know(name: string): void {
    this.#called.add(name)
  }

  start({ id, name, args }: { readonly id: string; readonly name: string; readonly args: unknown }, within: CallPlace): void {
    const { tracer, content } = this.#telemetry
    const tool: Attributes = { 'gen_ai.tool.name': this.#nameOf(name), 'gen_ai.tool.type': 'function' }
    const operation = new Operation({
      tracer,
      clock: this.#clock,
      parent: within.parent,
      kind: SpanKind.INTERNAL,
      name: nameOf('execute_tool', tool['gen_ai.tool.name']),
      attributes: { 'gen_ai.operation.name': 'execute_tool', ...tool, 'gen_ai.tool.call.id': identifierOf(id), ...within.agent },
    })
    operation.setContent('recording arguments', () => content?.ofArguments(name, args))
    this.#open.set(id, { operation, labels: { ...tool, ...within.agent } })
  }

  /** Returns the context in which the span of an open call is active. Spans of nested calls use it as their parent. */
  contextOf(callId: string | undefined): Context | undefined {
    return callId === undefined ? undefined : this.#open.get(callId)?.operation.context
  }

  /** Ends the span of a call. Returns false for a call that was never started. */
  end({ callId, name, ok, text, code }: Observation): boolean {
    const open = this.#open.get(callId)
    if (open === undefined) return false
    this.#open.delete(callId)
    // Only a finished call proves that the model didn't make up the name.
    if (!UNCERTAIN.has(code)) this.#name(open, name)
    open.operation.setContent('recording a result', () => this.#telemetry.content?.ofResult(text))
    this.#close(open, ok ? undefined : (identifierOf(code) ?? 'tool_error'))
    return true
  }

  /** Ends all calls that are still open at the end of the run. */
  endAll(errorType: string | undefined): void {
    for (const open of this.#open.values()) this.#close(open, errorType)
    this.#open.clear()
  }

  /** Returns the attributes that identify a call and its tool in an event. */
  attributesOf(callId: string, name: string): Attributes {
    return { 'gen_ai.tool.name': this.#nameOf(name), 'gen_ai.tool.call.id': identifierOf(callId) }
  }

  #name(open: OpenCall, name: string): void {
    this.know(name)
    const tool = { 'gen_ai.tool.name': this.#nameOf(name) }
    if (tool['gen_ai.tool.name'] === open.labels['gen_ai.tool.name']) return
    open.operation.rename(nameOf('execute_tool', tool['gen_ai.tool.name']))
    open.operation.set(tool)
    open.labels = { ...open.labels, ...tool }
  }

  #close({ operation, labels }: OpenCall, errorType: string | undefined): void {
    operation.end(errorType)
    const failure = errorType === undefined ? {} : { 'error.type': errorType }
    this.#telemetry.instruments.toolDuration(operation.seconds(), { ...labels, ...failure }, operation.context)
  }

  /**
   * Returns the name of a tool, or `_OTHER` for a name that no known tool has. A model may make up any number of such names, and they
   * may contain content.
   */
  #nameOf(name: string): string {
    const isKnown = this.#offered.size === 0 || this.#offered.has(name) || this.#called.has(name)
    return (isKnown ? identifierOf(name) : undefined) ?? OTHER
  }
}

/** The position of a call in the run. */
export interface CallPlace {
  readonly parent: Context
  readonly agent: Attributes
}

/** Codes of failures that a call to a tool that doesn't exist may have. */
const UNCERTAIN: ReadonlySet<string | undefined> = new Set(['unknown_tool', 'aborted', 'steps_failed'])

interface OpenCall {
  readonly operation: Operation
  /** Attributes of the call's metric. */
  labels: Attributes
}
