/** Shows a call that needs a yes, and asks about it: of those who resumed the run, of the caller, or of the journal. */
import { callTool, type Tool, type ToolCall, type ToolResult, toSpec } from '@x/tool-core'
import { canonicalJson } from '../canonical-json.ts'
import { AgentError } from '../errors.ts'
import type { CallScope } from '../scope.ts'
import { directSteps, NotDecided } from '../steps.ts'
import { untilAborted } from '../until-aborted.ts'
import { isClientTool } from './client-tool.ts'
import type { Decision, PendingCall } from './decision.ts'
import { digestOf } from './digest.ts'
import { type Asked, assertInTime, endOf } from './expiry.ts'
import { decidedBefore, toDecision } from './read-decision.ts'

/**
 * What became of the question: it may go on; it waits, and the run with it; or there is nothing to ask, since the call is wrong.
 */
export type Gate = Decided | Waiting | Invalid

interface Decided {
  readonly type: 'decided'
  readonly call: PendingCall
  readonly decision: Decision
}

interface Invalid {
  readonly type: 'invalid'
  readonly result: ToolResult
}

interface Waiting {
  readonly type: 'waiting'
  readonly call: PendingCall
  /** ISO 8601. */
  readonly expiresAt?: string | undefined
  /** Why nobody could be asked: what `approve` threw. */
  readonly cause?: unknown
}

/**
 * Checks the arguments, by way of the hooks that come before an execution, and tells that somebody has to decide. Nothing is executed,
 * so nobody hears of an error by `onError`; when the call is executed the same hooks run again.
 */
export async function showCall(call: ToolCall, tool: Tool, scope: CallScope): Promise<PendingCall | Invalid> {
  let checked: Readonly<Record<string, unknown>> | undefined
  const approve = ({ name, args }: { name: string; args: Readonly<Record<string, unknown>> }) => {
    if (name === call.name) checked = args
    return false
  }
  const { signal, values, emit, step } = scope
  const result = await callTool(withoutOnError(tool), call, { signal, values, approve })
  if (checked === undefined) return { type: 'invalid', result }
  const pending = await toPending(call.id, tool, checked)
  emit({ type: 'approval_requested', step, call: pending })
  return pending
}

/** Once all calls of the turn have been shown. */
export async function askFor(pending: PendingCall, scope: CallScope): Promise<Decided | Waiting> {
  const gate = await decide(pending, scope)
  const { emit, step } = scope
  if (gate.type === 'decided') emit({ type: 'approval_decided', step, callId: pending.callId, decision: gate.decision.type })
  return gate
}

export async function toPending(callId: string, tool: Tool, args: PendingCall['args']): Promise<PendingCall> {
  const digest = await digestOf({ tool: fingerprintOf(tool), args })
  return { callId, name: tool.name, args, needs: isClientTool(tool) ? 'result' : 'approval', digest, key: `approval-${callId}` }
}

/** What a tool is for a model and for whoever approves its calls; its code cannot be told. */
export function fingerprintOf(tool: Tool): object {
  return { ...toSpec(tool).function, effect: tool.effect, isClient: isClientTool(tool) }
}

/**
 * What was decided is recorded together with the digest of what was decided about: a run that is replayed, or resumed once more, hears
 * the same, and a call that has become another one in the meantime is refused. How long may be decided is recorded when the question is.
 */
async function decide(pending: PendingCall, scope: CallScope): Promise<Decided | Waiting> {
  const { decisions, steps, expiresInMs, expiresAt } = scope
  const { callId, digest } = pending
  const asked: Asked = await steps.run(`asked-${callId}`, async () => ({ digest, ...endOf(expiresInMs, expiresAt) }))
  const given = decisions?.get(callId)
  if (asked.digest !== digest || (given !== undefined && given.digest !== digest)) throw anotherCall(callId)
  const found = given?.decision ?? (await waitFor(pending, scope))
  // What is recorded comes first, also where nobody can be asked now: a step that rejects is not recorded.
  const decided = async () => {
    if (given === undefined && scope.approve === undefined) assertInTime(callId, asked)
    if (given !== undefined) await assertEdit(given.decision, pending, scope)
    // A journal cannot take back what was decided: there the model reads that the call was wrong.
    return { decision: found ?? (await ask(pending, scope)), digest }
  }
  const recorded = await orUndecided(steps.run(`decided-${callId}`, decided))
  if ('undecided' in recorded)
    return { type: 'waiting', call: pending, expiresAt: asked.expiresAt, cause: recorded.undecided.cause }
  if (recorded.digest !== digest) throw anotherCall(callId)
  if (given !== undefined && canonicalJson(given.decision) !== canonicalJson(recorded.decision))
    throw decidedBefore(callId, recorded.decision)
  return { type: 'decided', call: pending, decision: recorded.decision }
}

/** Of a journal; undefined while nothing was decided, and where the caller is asked. */
async function waitFor(pending: PendingCall, { approve, steps }: CallScope): Promise<Decision | undefined> {
  if (steps === directSteps || approve !== undefined) return undefined
  const found = await orUndecided(steps.wait(pending.key, pending).then((value) => ({ value })))
  return 'undecided' in found ? undefined : toDecision(found.value, pending)
}

async function orUndecided<T extends object>(decided: Promise<T>): Promise<T | { readonly undecided: Error }> {
  try {
    return await decided
  } catch (cause) {
    if (cause instanceof Error && (cause as { code?: unknown }).code === 'not_decided') return { undecided: cause }
    throw cause
  }
}

/** Where asking fails, or the answer is none, nothing was decided, and the run waits. */
async function ask(pending: PendingCall, scope: CallScope): Promise<Decision> {
  const { approve, signal } = scope
  if (approve === undefined) throw new NotDecided(pending.key)
  try {
    const decision = toDecision(await untilAborted((async () => approve(pending))(), signal), pending)
    await assertEdit(decision, pending, scope)
    return decision
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NotDecided(pending.key, { cause })
  }
}

/** Whoever put other arguments in the place of the model's hears at once when they do not fit. */
async function assertEdit(
  decision: Decision,
  { callId, name }: PendingCall,
  { tools, signal, values }: CallScope,
): Promise<void> {
  const tool = tools.get(name)
  if (decision.type !== 'edit' || tool === undefined) return
  let isReached = false
  const approve = (request: { readonly callId: string }) => {
    isReached ||= request.callId === callId
    return false
  }
  const result = await callTool(withoutOnError(tool), { id: callId, name, args: decision.args }, { signal, values, approve })
  signal?.throwIfAborted()
  if (isReached || result.ok) return
  throw new AgentError(
    'approval_invalid',
    `The arguments that were to replace those of the call "${callId}" cannot be used, and nothing was run. ${result.error.message}`,
  )
}

function anotherCall(callId: string): AgentError {
  return new AgentError(
    'approval_invalid',
    `The call "${callId}" is not the one that was shown: its tool or its arguments are others now. Nothing was run.`,
  )
}

function withoutOnError(tool: Tool): Tool {
  if (tool.hooks?.onError === undefined) return tool
  const { onError, ...hooks } = tool.hooks
  return { ...tool, hooks }
}
