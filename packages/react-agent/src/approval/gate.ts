/** Shows a call that requires approval, and gets the decision from `resume`, `approve` or the journal. */
import { canonicalJson, type PreparedCall, prepareCall, type Tool, type ToolCall } from '@x/tool-core'
import { callOptions } from '../calls/call-options.ts'
import { toOutcome } from '../calls/finished-call.ts'
import { assertNotGone, changedCall } from '../calls/gone-tool.ts'
import { AgentError } from '../errors.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import { changedByHook } from '../prompts.ts'
import { NotDecided } from '../steps/steps.ts'
import { assertAnswer } from './answer.ts'
import { isClientTool } from './client-tool.ts'
import type { DecidedCall, Decision, PendingCall } from './decision.ts'
import { assertInTime, type Expiry, endOf } from './expiry.ts'
import { areStillValid, changedEdit, fromShown, type Shown, toKept, toShown } from './prepared.ts'
import { decidedBefore, toDecision } from './read-decision.ts'

/** The state of a call that requires approval: decided, waiting for a decision, or invalid. An invalid call needs no decision. */
export type Gate = Decided | Waiting | Invalid

export interface Decided {
  readonly type: 'decided'
  readonly call: DecidedCall
  readonly tool: Tool
  /** The call to execute. Undefined if it isn't prepared yet: for an edit from a journal, or if JSON can't represent the arguments. */
  readonly prepared: PreparedCall | undefined
  readonly assertUnchanged?: AssertUnchanged | undefined
  /** True if the decision comes from a journal. */
  readonly isRecorded: boolean
}

/**
 * Rejects with `agent_changed` if the call can't be executed as it was shown, because its tool has changed. Undefined for a call that was
 * shown in this execution. Called inside the call's steps, so a call that already has an outcome isn't checked.
 */
type AssertUnchanged = (decision?: Decision) => Promise<void>

interface Waiting extends Expiry {
  readonly type: 'waiting'
  readonly call: PendingCall
  readonly isRecorded?: undefined
  /** Why there is no decision, such as the error of `approve`. */
  readonly cause?: unknown
}

export interface Invalid {
  readonly type: 'invalid'
  readonly isRecorded?: undefined
  readonly outcome: CallOutcome
}

/** A call that has been shown and can be decided. */
export interface ShownCall extends Expiry {
  readonly type: 'shown'
  readonly call: PendingCall
  readonly tool: Tool
  readonly original: ToolCall
  readonly prepared: PreparedCall | undefined
  /** Schema of the answer to a question, with the validator of the schema's library. */
  readonly schema?: object | undefined
  readonly assertUnchanged?: AssertUnchanged | undefined
}

/** The record of a shown call, or the outcome of an invalid one. */
type RecordedCall = (Shown & Expiry) | CallOutcome

/**
 * Prepares the call and emits `approval_requested`, unless a journal has it. The prepared call is recorded, so that every process executes
 * what was shown. Only arguments that JSON can't represent are prepared again in another process. Rejects with the error of `steps`.
 * Returns undefined if the caller aborted in the meantime. `message` is a text for the approver.
 */
export async function showCall(
  call: ToolCall,
  tool: Tool,
  scope: CallScope,
  message?: string,
): Promise<ShownCall | Invalid | undefined> {
  const { signal, emit, step, steps, expiresInMs, expiresAt } = scope
  const options = callOptions(call, scope)
  let prepared: PreparedCall | undefined
  let isNew = false
  let isRecorded = true
  const show = async (): Promise<RecordedCall> => {
    isRecorded = false
    assertNotGone(call, tool)
    const before = scope.shown?.get(call.id)
    const end = endOf(expiresInMs, expiresAt)
    if (before !== undefined) {
      const { args, executes, digest, tags } = before
      return { args, executes, digest, tags, ...end }
    }
    const result = await prepareCall(tool, call, options)
    signal?.throwIfAborted()
    if (!result.ok) return toOutcome(result)
    prepared = result
    isNew = true
    return { ...(await toShown(result)), ...end }
  }
  const recorded = await steps.run(`asked-${call.id}`, show).catch((cause) => {
    if (!signal?.aborted) throw cause
  })
  if (recorded === undefined) return undefined
  if ('observation' in recorded) return { type: 'invalid', outcome: recorded }
  // Uses a copy, because a hook may still mutate the object that it returned.
  const kept = fromShown(tool, call, recorded)
  const { args, executes, digest, tags, expiresAt: endsAt } = recorded
  const assertUnchanged: AssertUnchanged = async (decision) => {
    assertNotGone(call, tool)
    if (kept === undefined) return
    if ((await toShown(kept)).digest !== digest) throw changedCall(call.id, 'its arguments or the effect of its tool differ')
    if (decision?.type === 'approve' && !(await areStillValid(kept)))
      throw changedCall(call.id, 'its arguments are no longer valid, or validation changes them')
  }
  const needs = isClientTool(tool) ? 'result' : 'approval'
  const pending: PendingCall = {
    callId: call.id,
    name: tool.name,
    needs,
    key: `approval-${call.id}`,
    args,
    digest,
    ...(message !== undefined && { message }),
    ...(executes !== undefined && { executes }),
    ...(tags !== undefined && { tags }),
  }
  if (!isRecorded) emit({ type: 'approval_requested', step, call: structuredClone(pending) })
  return {
    type: 'shown',
    call: pending,
    tool,
    original: call,
    prepared: kept ?? prepared,
    expiresAt: endsAt,
    assertUnchanged: isNew ? undefined : assertUnchanged,
  }
}

/** Gets the decision, and reports it unless a journal has it. Called once all calls of the turn have been shown. */
export async function decideCall(shown: ShownCall, scope: CallScope): Promise<Decided | Waiting> {
  const gate = await decide(shown, scope)
  if (!gate.isRecorded) reportDecision(gate, scope)
  return gate
}

/** Emits `approval_decided` if there is a decision. */
export function reportDecision(gate: Gate, { emit, step }: CallScope): void {
  if (gate.type !== 'decided') return
  const { callId, name, decision } = gate.call
  emit({ type: 'approval_decided', step, callId, name, decision: decision.type })
}

/** The record with the key `decided-…`. It includes the prepared arguments of an edit, so that a replay doesn't prepare them again. */
type RecordedDecision = Pick<DecidedCall, 'decision' | 'digest' | 'edited'>

/**
 * Records the decision together with the digest of the call. A run that is replayed or resumed again gets the same decision, and a call
 * that has changed in the meantime is refused. The expiry is recorded when the call is shown.
 */
export async function decide(
  { call, tool, original, prepared, schema, expiresAt, assertUnchanged }: ShownCall,
  scope: CallScope,
): Promise<Decided | Waiting> {
  const { decisions, steps } = scope
  const { callId, digest } = call
  const given = decisions?.get(callId)
  if (given !== undefined && given.digest !== digest) throw otherDecision(callId)
  const waited = given === undefined ? await waitFor(call, scope) : undefined
  let edit: PreparedCall | undefined
  let isRecorded = true
  // Runs only if nothing is recorded yet. Rejects while there is no decision, because a step that rejects isn't recorded.
  const record = async (): Promise<RecordedDecision> => {
    isRecorded = false
    if (given === undefined && scope.approve === undefined) assertInTime(callId, { expiresAt })
    if (given?.edited !== undefined) return { decision: given.decision, digest, edited: given.edited }
    // Without a decision, the run keeps waiting.
    if ((given ?? waited ?? scope.approve) !== undefined) await assertUnchanged?.()
    const decision =
      given?.decision ?? (waited ? toDecision(waited.value, call) : undefined) ?? (await callApprove(call, scope, check))
    await assertUnchanged?.(decision)
    if (given !== undefined) await check(decision)
    return { decision, digest, ...(edit && { edited: toKept(edit.args) }) }
  }
  const check = async (decision: Decision) => {
    if (decision.type === 'input' && schema !== undefined) await assertAnswer(callId, schema, decision.input)
    edit = await prepareEdit(decision, tool, original, scope)
  }
  const recorded = await orUndecided(steps.run(`decided-${callId}`, record))
  if ('undecided' in recorded) return { type: 'waiting', call, expiresAt, cause: recorded.undecided.cause }
  const { decision, edited } = recorded
  if (recorded.digest !== digest) throw otherDecision(callId)
  if (given !== undefined && canonicalJson(given.decision) !== canonicalJson(decision)) throw decidedBefore(callId, decision)
  return {
    type: 'decided',
    call: { ...call, decision, ...(edited !== undefined && { edited }) },
    tool,
    prepared: decision.type === 'edit' ? (fromEdit(decision, edited, tool, original) ?? edit) : prepared,
    assertUnchanged,
    isRecorded,
  }
}

/** Returns the decision from the journal. Returns undefined if there is none yet, or if `approve` decides instead. */
export async function waitFor(
  call: PendingCall,
  { approve, steps }: CallScope,
): Promise<{ readonly value: unknown } | undefined> {
  if (approve !== undefined) return undefined
  const found = await orUndecided(steps.wait(call.key, call).then((value) => ({ value })))
  return 'undecided' in found ? undefined : found
}

async function orUndecided<T extends object>(decided: Promise<T>): Promise<T | { readonly undecided: Error }> {
  try {
    return await decided
  } catch (cause) {
    if (cause instanceof Error && (cause as { code?: unknown }).code === 'not_decided') return { undecided: cause }
    throw cause
  }
}

/** Calls `approve`. If it throws or returns an invalid decision, nothing is decided and the run waits. */
async function callApprove(
  call: PendingCall,
  { approve, signal }: CallScope,
  check: (decision: Decision) => Promise<void>,
): Promise<Decision> {
  if (approve === undefined) throw new NotDecided(call.key)
  try {
    const decision = toDecision(await approve(structuredClone(call), signal), call)
    await check(decision)
    return decision
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NotDecided(call.key, { cause })
  }
}

/**
 * Prepares the arguments of an edit. Throws `approval_invalid` if they are invalid or a hook changes them. Doesn't call the tool's
 * `onError`.
 */
async function prepareEdit(decision: Decision, tool: Tool, call: ToolCall, scope: CallScope): Promise<PreparedCall | undefined> {
  if (decision.type !== 'edit') return undefined
  const options = callOptions(call, scope)
  const edited = await prepareCall(withoutOnError(tool), { ...call, args: decision.args }, options)
  const changed = edited.ok ? await changedEdit(edited, options) : undefined
  scope.signal?.throwIfAborted()
  if (edited.ok && changed === undefined) return { ...edited, tool }
  const fault = edited.ok ? changedByHook(tool.name, changed ?? {}) : edited.error.message
  throw new AgentError(
    'approval_invalid',
    `The edited arguments for the call "${call.id}" are invalid. Nothing was run. ${fault}`,
  )
}

/** Restores a recorded edit. Returns undefined if it isn't prepared yet: it comes from a journal, or JSON can't represent its arguments. */
function fromEdit({ args }: Edit, edited: DecidedCall['edited'], tool: Tool, call: ToolCall): PreparedCall | undefined {
  return edited ? fromShown(tool, { ...call, args }, { args: edited }) : undefined
}

type Edit = Extract<Decision, { type: 'edit' }>

/**
 * Throws `agent_changed` for a call that was shown for approval and no longer requires it. Such a call would run even if it had been
 * rejected.
 */
export function assertNotShown(callId: string, { outer }: CallScope): void {
  if (outer?.wasKnown(`asked-${callId}`) && !outer.wasKnown(`call-${callId}`))
    throw changedCall(callId, 'its tool no longer requires approval')
}

/** Returns the error for an unrecorded call whose tool requires approval now, but didn't when the call was made. */
export function neverShown(callId: string): AgentError {
  return changedCall(callId, 'its tool now requires approval')
}

function otherDecision(callId: string): AgentError {
  return new AgentError('approval_invalid', `The decision about the call "${callId}" is about other arguments. Nothing was run.`)
}

function withoutOnError(tool: Tool): Tool {
  if (tool.hooks?.onError === undefined) return tool
  const { onError, ...hooks } = tool.hooks
  return { ...tool, hooks }
}
