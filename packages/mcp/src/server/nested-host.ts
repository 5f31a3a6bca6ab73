/** Implements `context.ask` and `context.call` for a served tool that is defined with `nested`. */

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import {
  type CallOptions,
  callTool,
  defineTool,
  isRepeatable,
  matchesName,
  type NestedCall,
  NestedCallError,
  type NestedHost,
  prepareCall,
  type Question,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolResult,
  toSpec,
} from '@x/tool-core'
import type { ServedCallCode } from '../errors.ts'
import {
  actedBefore,
  declined,
  forbiddenCall,
  invalidQuestion,
  nestedTooDeep,
  questionsUnavailable,
  unavailableTool,
} from '../prompts.ts'
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Form, Questions } from './questions.ts'

const MAX_LEVELS = 4
/** Pattern for the key of a question. Keys that start with `approve_` are reserved for approvals. */
const KEY = /^(?!approve_)[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/** Tracks the calls and questions of a tool. Shared by the hosts of all nesting levels. */
export class CallTracker {
  /** Number of calls that were made. */
  calls = 0
  #hasActed = false
  /** Questions that aren't answered yet, and calls that may still lead to one. */
  readonly #asking = new Set<Promise<unknown>>()

  /** Throws if the tool has made a call that must not be repeated. */
  assertMayAsk(tool: string): void {
    if (!this.#hasActed) return
    throw new NestedCallError(actedBefore(tool), { code: 'acted_before' satisfies ServedCallCode, callId: '', tool })
  }

  /** Runs `work`, which may ask a question. Until it ends, it counts as an open question. */
  async asking<T>(work: () => Promise<T>): Promise<T> {
    const asked = work()
    this.#asking.add(asked)
    try {
      return await asked
    } finally {
      this.#asking.delete(asked)
    }
  }

  /**
   * Resolves once a tool may be executed. Waits while a question is open, because its answer makes the program run again. A tool
   * with `nested` never waits, because it acts only through its own calls.
   */
  async mayAct({ effect, nested }: Tool): Promise<void> {
    if (isRepeatable(effect) || nested !== undefined) return
    while (this.#asking.size > 0) await Promise.allSettled(this.#asking)
    this.#hasActed = true
  }
}

export interface NestedScope {
  readonly connection: Connection
  readonly tracker: CallTracker
  readonly questions: Questions
  readonly deadline: Deadline
  /** Options for nested calls. */
  readonly options: CallOptions & { readonly idempotencyKey: string }
}

/**
 * Creates the host for one call. A client on protocol revision 2026-07-28 answers by repeating the call, so the tool runs again from the
 * start. Asking therefore fails after a nested call that must not be repeated.
 */
export function createNestedHost(tool: Tool, scope: NestedScope): NestedHost {
  return new Host(tool, scope, 1)
}

class Host implements NestedHost {
  readonly #tool: Tool
  readonly #scope: NestedScope
  readonly #level: number

  constructor(tool: Tool, scope: NestedScope, level: number) {
    this.#tool = tool
    this.#scope = scope
    this.#level = level
  }

  async ask(question: Question): Promise<unknown> {
    const { connection, questions, deadline, tracker } = this.#scope
    const form = toForm(question, this.#tool, connection)
    const { ask } = questions
    if (ask === undefined) throw this.#failed('question_unavailable', question.key, questionsUnavailable(this.#tool.name))
    const answer = await tracker.asking(() => deadline.without(() => ask(form)))
    if (answer === undefined) throw this.#failed('rejected', question.key, declined(question.key))
    return answer
  }

  async call({ name, args = {} }: NestedCall): Promise<unknown> {
    const { options, tracker } = this.#scope
    const number = ++tracker.calls
    const call = { id: `${options.callId}-${number}`, name, args: args as Readonly<Record<string, unknown>> }
    const inner = await this.#find(name, call.id)
    const own = {
      ...options,
      idempotencyKey: `${options.idempotencyKey}/${number}`,
      ...(inner.nested !== undefined && { nested: new Host(inner, this.#scope, this.#level + 1) }),
    }
    const result = await (inner.needsApproval ? this.#callWithApproval(inner, call, own) : this.#callNow(inner, call, own))
    if (result.ok) return result.output
    const { code, message, issues, reason } = result.error
    throw new NestedCallError(message, { code, callId: call.id, tool: inner.name, issues, reason })
  }

  async #callNow(inner: Tool, call: ToolCall, options: CallOptions): Promise<ToolResult> {
    await this.#scope.tracker.mayAct(inner)
    return callTool(inner, call, options)
  }

  /** Makes a call that requires approval. It counts as an open question until it is approved or rejected. */
  #callWithApproval(inner: Tool, call: ToolCall, options: CallOptions): Promise<ToolResult> {
    const { tracker, deadline } = this.#scope
    const { approve } = options
    let decided: () => void = () => {}
    const decision = new Promise<void>((resolve) => {
      decided = resolve
    })
    void tracker.asking(() => decision)
    const result = callTool(inner, call, {
      ...options,
      approve:
        approve &&
        (async (request) => {
          const isApproved = await deadline.without(async () => approve(request))
          decided()
          if (isApproved) await tracker.mayAct(inner)
          return isApproved
        }),
    })
    return result.finally(decided)
  }

  async #find(name: string, callId: string): Promise<Tool> {
    if (this.#level > MAX_LEVELS) throw this.#failed('nesting_too_deep', callId, nestedTooDeep(this.#tool.name, MAX_LEVELS))
    if (!isPermitted(this.#tool, name)) throw this.#failed('unknown_tool', callId, forbiddenCall(this.#tool.name, name))
    const { tools, settings } = this.#scope.connection
    const tool = await tools.find(name).catch((error: unknown) => settings.report(error))
    if (tool === undefined) throw this.#failed('unknown_tool', callId, unavailableTool(name))
    return tool
  }

  #failed(
    code: ServedCallCode | 'rejected' | 'nesting_too_deep' | 'unknown_tool',
    callId: string,
    message: string,
  ): NestedCallError {
    return new NestedCallError(message, { code, callId, tool: this.#tool.name })
  }
}

function isPermitted({ nested }: Tool, name: string): boolean {
  return nested === true || (nested?.some((pattern) => matchesName(pattern, name)) ?? false)
}

/** Converts a question to a form. Throws a `ToolError` if no form can represent it, which is a mistake in the tool. */
function toForm({ key, message, schema }: Question, tool: Tool, { sdk }: Connection): Form {
  if (!KEY.test(key)) throw new ToolError('execution_failed', invalidQuestion(tool.name, key))
  const answer = defineTool({
    name: 'answer',
    description: 'The answer.',
    args: schema as never,
    execute: (args: object) => args,
  })
  const { type, properties, required } = toSpec(answer as Tool).function.parameters
  const params = { mode: 'form', message, requestedSchema: { type, properties, ...(required !== undefined && { required }) } }
  if (!sdk.isSpecType.ElicitRequestFormParams(params)) throw new ToolError('execution_failed', invalidQuestion(tool.name, key))
  return {
    key,
    params: params as ElicitRequestFormParams,
    async read(content) {
      const prepared = await prepareCall(answer as Tool, {
        id: '',
        name: 'answer',
        args: content as Readonly<Record<string, unknown>>,
      })
      return prepared.ok ? prepared.args : undefined
    },
  }
}
