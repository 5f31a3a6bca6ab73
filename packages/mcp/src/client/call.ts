/** Calls a server's tool: enforces the timeout, answers the server's questions, and repeats a lost call if that is safe. */
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/client'
import {
  type Effect,
  findFault,
  inputOf,
  isRepeatable,
  isToolError,
  LONGEST_TIMER,
  MAX_DEPTH,
  type ToolContext,
  ToolError,
  validate,
} from '@x/tool-core'
import { type McpOutput, toParts } from '../content/from-mcp.ts'
import { McpError } from '../errors.ts'
import { importClient } from '../packages.ts'
import * as prompts from '../prompts.ts'
import { failed } from './call-reason.ts'
import { CallClock } from './clock.ts'
import type { Connection } from './connection.ts'
import type { Definition } from './definition.ts'
import { answer, type WireAnswer, type WireQuestion } from './elicit.ts'
import { type CallFate, fateOf } from './failure.ts'
import { askLater, toParams, toRetry } from './later.ts'
import type { Settings } from './options.ts'
import type { Report } from './report.ts'
import { pause, within } from './wait.ts'

/** The parts of a source that its calls use. */
export interface Caller {
  readonly settings: Settings
  readonly report: Report
  wordsOf(error: unknown): string
  /** Removes secrets from a server's text. */
  redact(text: string): string
  connect(): Promise<Connection>
  /** Keeps new calls from using the connection, and closes it once its running calls have ended. */
  retire(connection: Connection): void
  /** Called when the server requires authorization, which `finishAuth` then completes. Returns the error to throw. */
  unauthorized(connection: Connection, error: unknown): Error
  /** Runs a call, and keeps its connection open until the call ends. */
  hold<T>(connection: Connection, call: RunningCall, work: () => Promise<T>): Promise<T>
  /** Lists the tools again. */
  listAgain(): Promise<void>
  /** Returns false once the source is closed. */
  isOpen(): boolean
}

/**
 * A running call. The source tracks it, because an older server may ask a question without naming the call that it belongs to.
 */
export interface RunningCall {
  readonly tool: string
  readonly clock: CallClock
  /** Number of questions that the older server has asked during this call. */
  questions: number
}

/** A server's tool, with its name and effect in this program. */
export interface Called {
  readonly name: string
  readonly definition: Definition
  readonly effect: Effect | undefined
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

export async function callServer(caller: Caller, called: Called, args: object, context: ToolContext): Promise<McpOutput> {
  await assertOutputSchema(called)
  const clock = new CallClock(caller.settings.timeoutMs, context.signal)
  try {
    return await toOutput(caller, called, await callUntilAnswered(caller, called, args, context, clock))
  } catch (error) {
    if (clock.isOver) throw new ToolError('timeout', prompts.timedOut(called.name, caller.settings.timeoutMs))
    throw error
  } finally {
    clock.stop()
  }
}

async function callUntilAnswered(
  caller: Caller,
  called: Called,
  args: object,
  context: ToolContext,
  clock: CallClock,
): Promise<CallToolResult> {
  const { settings } = caller
  for (let attempt = 0; ; attempt++) {
    const mayRepeat = attempt < settings.maxRetries
    const connection = await within(clock.signal, connectFor(caller, called))
    try {
      return await caller.hold(connection, { tool: called.name, clock, questions: 0 }, () =>
        callOnce(caller, connection, called, args, context, clock),
      )
    } catch (error) {
      if (clock.signal.aborted || isToolError(error)) throw error
      const sdk = await importClient()
      const fate = fateOf(error, sdk, connection.opened.closedBy() !== undefined)
      if (fate === 'unauthorized') caller.unauthorized(connection, error)
      if (LOSES_CONNECTION.has(fate) || connection.opened.closedBy() !== undefined) caller.retire(connection)
      if (!caller.isOpen() || !mayRepeat || !isRepeated(fate, called.effect)) throw toToolError(caller, called, fate, error)
      if (fate === 'wrong_headers') await within(clock.signal, caller.listAgain())
      else await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), clock.signal)
    }
  }
}

const LOSES_CONNECTION: ReadonlySet<CallFate> = new Set<CallFate>(['not_sent', 'no_session', 'lost', 'unauthorized'])

function isRepeated(fate: CallFate, effect: Effect | undefined): boolean {
  if (fate === 'not_sent' || fate === 'rate_limited' || fate === 'no_session' || fate === 'wrong_headers') return true
  return fate === 'lost' && isRepeatable(effect)
}

async function connectFor(caller: Caller, { name }: Called): Promise<Connection> {
  try {
    return await caller.connect()
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    if (error.code === 'unauthorized') throw failed(prompts.notAuthorized(name), 'not_authorized', { cause: error })
    throw failed(prompts.connectionLost(name), 'disconnected', { cause: error, retryable: true })
  }
}

/** Calls the tool once. Answers questions that a server on protocol revision 2026-07-28 asks before it returns a result. */
async function callOnce(
  caller: Caller,
  { client }: Connection,
  { name, definition }: Called,
  args: object,
  context: ToolContext,
  clock: CallClock,
): Promise<CallToolResult> {
  const { signal } = clock
  const { elicit, name: server, maxQuestions } = caller.settings
  const first = { name: definition.name, arguments: args as Record<string, unknown> }
  const input = elicit === undefined ? inputOf(context) : undefined
  const given = input?.given && toRetry(input.given)
  let params: CallToolRequest['params'] = { ...first, ...given?.params }
  for (let round = given?.round ?? 0; ; round++) {
    const result: CallToolResult | InputRequired = await client.callTool(params, {
      signal,
      timeout: LONGEST_TIMER,
      onprogress: (update) => context.progress(update),
      allowInputRequired: true,
      // Has no output schema, because `toOutput` validates the output.
      toolDefinition: { name: definition.name, inputSchema: definition.inputSchema as never },
    })
    if (!isInputRequired(result)) return result
    if (round >= maxQuestions) throw failed(prompts.tooManyQuestions(name, maxQuestions), 'input_unavailable')
    const { inputRequests = {}, requestState } = result
    const requests = Object.entries(inputRequests)
    const answers: [string, WireAnswer][] = []
    clock.pause()
    try {
      if (requests.length > maxQuestions)
        throw failed(prompts.tooManyAtOnce(name, requests.length, maxQuestions), 'input_unavailable')
      const unknown = requests.find(([, { method }]) => method !== 'elicitation/create')
      if (unknown !== undefined) throw failed(prompts.inputDeclined(name), 'input_unavailable')
      const asking = { server, tool: name, elicit, report: caller.report, signal }
      if (input !== undefined && requests.length > 0) await askLater(requests, { ...asking, requestState, round: round + 1 })
      for (const [key, { params: question = {} }] of requests) answers.push([key, await answer(question, asking)])
    } catch (cause) {
      // A question with an invalid form throws `invalid_definition`, which is handled below.
      if (signal.aborted || (isToolError(cause) && cause.code !== 'invalid_definition')) throw cause
      throw failed(prompts.answerFailed(name), 'input_unavailable', { cause })
    } finally {
      clock.resume()
    }
    params = { ...first, ...toParams(answers, requestState) }
  }
}

interface InputRequired {
  readonly resultType: 'input_required'
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: WireQuestion | undefined }>>
  readonly requestState?: string
}

function isInputRequired(result: unknown): result is InputRequired {
  return (result as Partial<InputRequired>).resultType === 'input_required'
}

async function toOutput(caller: Caller, { name, definition }: Called, result: CallToolResult): Promise<McpOutput> {
  const content = toParts(result.content ?? [])
  if (result.isError) {
    const words = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
    throw failed(prompts.toolFailed(caller.redact(words)), 'tool_failed')
  }
  const { structuredContent } = result
  const fault = findFault(structuredContent, MAX_DEPTH)
  if (fault !== undefined) throw failed(prompts.faultyData(name, fault.words), 'invalid_answer')
  if (definition.outputSchema === undefined) return structuredContent === undefined ? { content } : { content, structuredContent }
  const found = structuredContent === undefined ? undefined : await validate(definition.outputSchema, structuredContent)
  if (found?.length === 0) return { content, structuredContent }
  const issues = found?.map((issue) => withText(issue, (text) => caller.redact(text)))
  const words =
    issues?.map(({ path, message }) => `${path.slice(1)} ${message}`.trim()).join('; ') ?? 'structuredContent is missing'
  throw new ToolError('invalid_output', prompts.invalidStructure(name, words), { issues: issues ?? [] })
}

/** Returns a copy of a record in which each string is replaced with the result of `change`. */
function withText<T extends object>(record: T, change: (text: string) => string): T {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, isText(value) ? change(value) : value])) as T
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Throws if the output schema is invalid. Call this before the tool, because afterwards the tool would already have run. */
async function assertOutputSchema({ name, definition }: Called): Promise<void> {
  if (definition.outputSchema === undefined) return
  try {
    await validate(definition.outputSchema, null)
  } catch (cause) {
    throw failed(prompts.invalidOutputSchema(name), 'invalid_output_schema', { cause })
  }
}

function toToolError(caller: Caller, { name, effect }: Called, fate: CallFate, error: unknown): ToolError {
  const words = caller.wordsOf(error)
  const cause = new Error(words)
  switch (fate) {
    case 'not_sent':
    case 'no_session':
    case 'wrong_headers':
      return failed(prompts.connectionLost(name), 'disconnected', { cause, retryable: true })
    case 'rate_limited':
      return failed(prompts.rateLimited(name), 'disconnected', { cause, retryable: true })
    case 'lost':
      return isRepeatable(effect)
        ? failed(prompts.readLost(name), 'connection_lost', { cause, retryable: true })
        : failed(prompts.unknownOutcome(name), 'unknown_outcome', { cause })
    case 'too_large':
      return failed(prompts.answerTooLarge(name, caller.settings.maxAnswerBytes), 'answer_too_large', { cause })
    case 'malformed':
      return failed(prompts.malformedAnswer(name), 'invalid_answer', { cause })
    case 'unauthorized':
      return failed(prompts.notAuthorized(name), 'not_authorized', { cause })
    case 'refused':
      return failed(prompts.serverRefused(name, words), 'call_refused', { cause })
  }
}
