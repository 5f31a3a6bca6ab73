/** Serves `tools/call`. */
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import {
  type ApprovalRequest,
  callTool,
  DEFAULT_TIMEOUT_MS,
  onAbort,
  type Tool,
  type ToolResult,
  type ToolSuccess,
  unknownTool,
} from '@x/tool-core'
import { toBlocks } from '../content/to-mcp.ts'
import { McpError } from '../errors.ts'
import { deadlinePassed, notLoaded } from '../prompts.ts'
import type { Connection } from './connection.ts'
import { startDeadline } from './deadline.ts'
import { digestIfShallow } from './digest.ts'
import { CallTracker, createNestedHost } from './nested-host.ts'
import { createProgressSender } from './progress.ts'
import { askAtOnce, askByResult, NO_QUESTIONS, type QuestionState, type Questions } from './questions.ts'

export interface CallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Calls a tool. Returns errors that a model can act on as results: invalid arguments, a failing tool, a refused approval. Throws
 * a `ProtocolError` for an unknown tool, and for a state that belongs to another call.
 */
export async function serveCall(
  { name, arguments: args = {} }: CallParams,
  context: ServerContext,
  connection: Connection,
): Promise<CallToolResult | InputRequiredResult> {
  const { sdk, tools } = connection
  const listing = await tools.listing()
  if (listing.get(name) === undefined)
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, unknownTool(name, listing.names).message)
  const tool = await load(name, connection)
  if (tool === undefined) return toFailedResult(notLoaded(name))
  const state = await stateOf(name, args, context, connection)
  const abort = new AbortController()
  const stop = onAbort(context.mcpReq.signal, () => abort.abort(context.mcpReq.signal.reason))
  const tracker = new CallTracker()
  const questions = questionsFor(context, state, connection, () => tracker.assertMayAsk(tool.name))
  const progress = progressOf(context)
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool
  const deadline = tool.nested === undefined ? undefined : startDeadline(timeoutMs)
  try {
    const call = { id: String(context.mcpReq.id), name: tool.name, args }
    const { approve: ask } = questions
    const approve = ask && deadline ? (request: ApprovalRequest) => deadline.without(async () => ask(request)) : ask
    const options = {
      ...{ callId: call.id, idempotencyKey: state.id, signal: abort.signal, values: connection.values, approve },
      ...(progress && { progress: progress.progress }),
    }
    const nested =
      deadline && createNestedHost(tool, { connection, questions, deadline, tracker, options: { ...options, approve: ask } })
    const running = [callTool(tool, call, { ...options, nested }), questions.open, ...(deadline ? [deadline.passed] : [])]
    const outcome = await Promise.race(running)
    await progress?.settled()
    if (outcome === 'passed') return toFailedResult(deadlinePassed(tool.name, timeoutMs))
    if ('ok' in outcome) return toResult(tool, outcome, connection)
    reportUnbound(context, connection)
    return {
      resultType: 'input_required',
      inputRequests: outcome.inputRequests,
      requestState: await connection.codec.mint(outcome.state, context),
    }
  } finally {
    deadline?.end()
    stop()
    // Ends a call that is still waiting for an answer.
    abort.abort()
  }
}

async function load(name: string, { tools, settings }: Connection): Promise<Tool | undefined> {
  try {
    return await tools.find(name)
  } catch (error) {
    settings.report(error)
    return undefined
  }
}

/**
 * Returns the verified state that the client sent back, or a new state for the first round. Throws a `ProtocolError` if the state
 * belongs to another call.
 */
async function stateOf(name: string, args: object, context: ServerContext, { sdk }: Connection): Promise<QuestionState> {
  const call = (await digestIfShallow([name, args])) ?? ''
  const given = context.mcpReq.requestState<QuestionState>()
  if (given === undefined) return { id: crypto.randomUUID(), call, asked: {}, approved: {}, answers: {} }
  if (given.call === call && call !== '') return given
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
}

function questionsFor(context: ServerContext, state: QuestionState, connection: Connection, assertMayAsk: () => void): Questions {
  if (connection.era === 'modern') return askByResult(context, state, assertMayAsk)
  return connection.whyNotAsked() === undefined ? askAtOnce(context, connection.settings.questionTtlMs) : NO_QUESTIONS
}

const unbound = new WeakSet<object>()

/** Reports once that `authorize` returned no `subject`, so questions can't be bound to a caller. */
function reportUnbound({ http }: ServerContext, { settings }: Connection): void {
  if (http === undefined || settings.authorize === undefined || http.authInfo?.clientId || unbound.has(settings)) return
  unbound.add(settings)
  const words =
    'authorize returned no subject. Without a subject, an approval or answer from one caller is accepted for a call from another. Return a subject.'
  settings.report(new McpError('unprotected', `serveMcp: ${words}`))
}

function progressOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return createProgressSender((params) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...params } }),
  )
}

function toResult(tool: Tool, result: ToolResult, connection: Connection): CallToolResult {
  const { settings, era } = connection
  if (!result.ok) {
    if (result.error.cause !== undefined) settings.report(result.error)
    const why = result.error.code === 'approval_required' && era === 'legacy' ? connection.whyNotAsked() : undefined
    return toFailedResult(why === undefined ? result.error.message : `${result.error.message} ${why}`)
  }
  if (result.modelOutputError !== undefined) settings.report(result.modelOutputError)
  return connection.project(toCallToolResult(result, tool.output !== undefined), tool.output)
}

/** Converts a result. `hasSchema` is true if the tool declares an output schema. */
function toCallToolResult({ output, modelOutput }: ToolSuccess, hasSchema: boolean): CallToolResult {
  const content = toBlocks(modelOutput === undefined ? output : modelOutput)
  return { content, ...(hasSchema && { structuredContent: output as Record<string, unknown> }) }
}

/** The model reads the message. */
function toFailedResult(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}
