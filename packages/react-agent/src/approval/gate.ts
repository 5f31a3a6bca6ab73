/** Shows a call that needs a yes, and asks about it: of those who resumed the run, of the caller, or of the journal. */
import { type PreparedCall, prepareCall, type Tool, type ToolCall } from '@x/tool-core'
import { callOptions } from '../calls/call-options.ts'
import { AgentError } from '../errors.ts'
import { canonicalJson } from '../json.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import { toObservation } from '../prompts.ts'
import { directSteps, NotDecided } from '../steps/steps.ts'
import { untilAborted } from '../until-aborted.ts'
import { isClientTool } from './client-tool.ts'
import type { DecidedCall, Decision, PendingCall } from './decision.ts'
import { assertInTime, type Expiry, endOf } from './expiry.ts'
import { editFault, fromShown, type Shown, toKept, toShown } from './prepared.ts'
import { decidedBefore, toDecision } from './read-decision.ts'

/**
 * What became of the question: it may go on; it waits, and the run with it; or there is nothing to ask, since the call is wrong.
 */
export type Gate = Decided | Waiting | Invalid

export interface Decided {
  readonly type: 'decided'
  readonly call: DecidedCall
  readonly tool: Tool
  /** What is executed after an approval. Undefined where it has yet to be prepared: an edit in a journal, and what JSON can't hold. */
  readonly prepared: PreparedCall | undefined
}

interface Waiting extends Expiry {
  readonly type: 'waiting'
  readonly call: PendingCall
  /** Why nobody could be asked: what `approve` threw. */
  readonly cause?: unknown
}

interface Invalid {
  readonly type: 'invalid'
  readonly outcome: CallOutcome
}

/** A call that somebody is about to decide. */
export interface ShownCall extends Expiry {
  readonly type: 'shown'
  readonly call: PendingCall
  readonly tool: Tool
  readonly asked: ToolCall
  readonly prepared: PreparedCall | undefined
}

/** What is recorded when a call is shown, or what is wrong with it. Earlier versions recorded the digest and the expiry alone. */
type Asked = (Partial<Shown> & Pick<Shown, 'digest'> & Expiry) | CallOutcome

/**
 * Prepares the call and tells that somebody has to decide. It is prepared once: what was shown is recorded, and a yes executes it, in
 * whichever process. Only what JSON cannot hold is prepared again in another one, when it is executed. Rejects with what `steps` rejects
 * with; undefined where the caller gave up meanwhile.
 */
export async function showCall(call: ToolCall, tool: Tool, scope: CallScope): Promise<ShownCall | Invalid | undefined> {
  const { signal, emit, step, steps, expiresInMs, expiresAt } = scope
  const options = callOptions(call, scope)
  let prepared: PreparedCall | undefined
  const show = async (): Promise<Asked> => {
    const before = scope.shown?.get(call.id)
    const end = endOf(expiresInMs, expiresAt)
    if (before !== undefined) return { args: before.args, executes: before.executes, digest: before.digest, ...end }
    const result = await prepareCall(tool, call, options)
    signal?.throwIfAborted()
    if (!result.ok) return { observation: toObservation(result) }
    prepared = result
    return { ...(await toShown(result)), ...end }
  }
  const asked = await steps.run(`asked-${call.id}`, show).catch((cause) => {
    if (!signal?.aborted) throw cause
  })
  if (asked === undefined) return undefined
  if ('observation' in asked) return { type: 'invalid', outcome: asked }
  // A copy of what was recorded: a hook may still hold on to what it gave.
  const kept = fromShown(tool, call, asked)
  if (kept !== undefined && (await toShown(kept)).digest !== asked.digest) throw anotherCall(call.id)
  let shown = shownOf(asked)
  if (shown === undefined) {
    const again = await prepareCall(tool, call, options)
    if (!again.ok) return { type: 'invalid', outcome: { observation: toObservation(again) } }
    prepared = again
    shown = await toShown(again)
    if (shown.digest !== asked.digest) throw anotherCall(call.id)
  }
  const needs = isClientTool(tool) ? 'result' : 'approval'
  const pending: PendingCall = { callId: call.id, name: tool.name, needs, key: `approval-${call.id}`, ...shown }
  emit({ type: 'approval_requested', step, call: structuredClone(pending) })
  return { type: 'shown', call: pending, tool, asked: call, prepared: kept ?? prepared, expiresAt: asked.expiresAt }
}

/** Undefined for what an earlier version recorded. */
function shownOf({ args, executes, digest }: Partial<Shown> & Pick<Shown, 'digest'>): Shown | undefined {
  return args && { args, digest, ...(executes !== undefined && { executes }) }
}

/** Once all calls of the turn have been shown. */
export async function askFor(shown: ShownCall, scope: CallScope): Promise<Decided | Waiting> {
  const gate = await decide(shown, scope)
  const { emit, step } = scope
  if (gate.type === 'decided')
    emit({ type: 'approval_decided', step, callId: gate.call.callId, decision: gate.call.decision.type })
  return gate
}

/** What `decided-…` records: what an edit became is kept with it, so that a replay does not prepare it again. */
type Recorded = Pick<DecidedCall, 'decision' | 'digest' | 'edited'>

/**
 * What was decided is recorded together with the digest of what was decided about: a run that is replayed, or resumed once more, hears
 * the same, and a call that has become another one in the meantime is refused. How long may be decided is recorded when the question is.
 */
async function decide({ call, tool, asked, prepared, expiresAt }: ShownCall, scope: CallScope): Promise<Decided | Waiting> {
  const { decisions, steps } = scope
  const { callId, digest } = call
  const given = decisions?.get(callId)
  if (given !== undefined && given.digest !== digest) throw anotherCall(callId)
  const found = given?.decision ?? (await waitFor(call, scope))
  let edit: PreparedCall | undefined
  // What is recorded comes first, also where nobody can be asked now: a step that rejects is not recorded.
  const record = async (): Promise<Recorded> => {
    if (given === undefined && scope.approve === undefined) assertInTime(callId, { expiresAt })
    if (given?.edited !== undefined) return { decision: given.decision, digest, edited: given.edited }
    const decision = found ?? (await ask(call, scope, takeEdit))
    if (given !== undefined) await takeEdit(decision)
    return { decision, digest, ...(edit && { edited: toKept(edit.args) }) }
  }
  const takeEdit = async (decision: Decision) => {
    edit = await prepareEdit(decision, tool, asked, scope)
  }
  const recorded = await orUndecided(steps.run(`decided-${callId}`, record))
  if ('undecided' in recorded) return { type: 'waiting', call, expiresAt, cause: recorded.undecided.cause }
  const { decision, edited } = recorded
  if (recorded.digest !== digest) throw anotherCall(callId)
  if (given !== undefined && canonicalJson(given.decision) !== canonicalJson(decision)) throw decidedBefore(callId, decision)
  return {
    type: 'decided',
    call: { ...call, decision, ...(edited !== undefined && { edited }) },
    tool,
    prepared: decision.type === 'edit' ? (fromEdit(decision, edited, tool, asked) ?? edit) : prepared,
  }
}

/** Of a journal; undefined while nothing was decided, and where the caller is asked. */
async function waitFor(call: PendingCall, { approve, steps }: CallScope): Promise<Decision | undefined> {
  if (steps === directSteps || approve !== undefined) return undefined
  const found = await orUndecided(steps.wait(call.key, call).then((value) => ({ value })))
  return 'undecided' in found ? undefined : toDecision(found.value, call)
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
async function ask(call: PendingCall, { approve, signal }: CallScope, takeEdit: (decision: Decision) => Promise<void>) {
  if (approve === undefined) throw new NotDecided(call.key)
  try {
    const decision = toDecision(await untilAborted((async () => approve(structuredClone(call)))(), signal), call)
    await takeEdit(decision)
    return decision
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NotDecided(call.key, { cause })
  }
}

/** Throws at once where the arguments of an edit don't fit, or a hook makes others of them. The tool's `onError` isn't called. */
async function prepareEdit(decision: Decision, tool: Tool, call: ToolCall, scope: CallScope): Promise<PreparedCall | undefined> {
  if (decision.type !== 'edit') return undefined
  const options = callOptions(call, scope)
  const edited = await prepareCall(withoutOnError(tool), { ...call, args: decision.args }, options)
  const fault = edited.ok ? await editFault(edited, options) : edited.error.message
  scope.signal?.throwIfAborted()
  if (edited.ok && fault === undefined) return { ...edited, tool }
  throw new AgentError(
    'approval_invalid',
    `The arguments that were to replace those of the call "${call.id}" cannot be used, and nothing was run. ${fault}`,
  )
}

/** What was recorded of it. Undefined where it has to be prepared: a journal's has not been, and JSON cannot hold everything. */
function fromEdit({ args }: Edit, edited: DecidedCall['edited'], tool: Tool, call: ToolCall): PreparedCall | undefined {
  return edited ? fromShown(tool, { ...call, args }, { args: edited }) : undefined
}

type Edit = Extract<Decision, { type: 'edit' }>

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
