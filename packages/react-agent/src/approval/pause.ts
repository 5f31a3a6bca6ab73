/** Creates paused runs, and checks them before they are resumed. */
import type { Adapter, Signature } from '@x/adapters'
import { canonicalJson, findFault, MAX_DEPTH, type ToolMap } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { isRecord } from '../json.ts'
import type { ModelTurn } from '../loop/turn.ts'
import type { KeptRecords } from '../nested/open-records.ts'
import type { DecidedCall, PendingCall } from './decision.ts'
import { isInTime } from './expiry.ts'
import { wrongPart } from './paused-parts.ts'
import type { PausedRun } from './paused-run.ts'
import { fromShown, toShown } from './prepared.ts'
import { decidedBefore, toDecision } from './read-decision.ts'
import { isSigned, sign } from './signing.ts'

export interface PauseOptions {
  /**
   * Key for signing paused runs. A run with a missing or different signature is refused. Set a key if clients store paused runs. Without
   * one, a client can change the arguments of a pending call, which aren't validated again.
   */
  readonly key?: string | undefined
  /** Time limit for a decision, in milliseconds after its call was shown. Also applies to decisions from a journal. Default: no limit. */
  readonly expiresInMs?: number | undefined
}

export async function toPausedRun(run: Omit<PausedRun, 'version' | 'signature'>, { key }: PauseOptions): Promise<PausedRun> {
  // Copies the run as JSON, so that the signature matches the data that is read back.
  const plain = JSON.parse(
    JSON.stringify({
      version: 4,
      ...run,
      response: { ...run.response, raw: undefined },
      // JSON can't represent Infinity.
      budget: Object.fromEntries(Object.entries(run.budget).filter(([, amount]) => Number.isFinite(amount))),
    }),
  ) as PausedRun
  return key === undefined ? plain : { ...plain, signature: await sign(plain, key) }
}

/**
 * Checks a paused run and returns a copy. Rejects with `approval_expired`, or with `invalid_paused_run` if it was changed, belongs to
 * another agent, or has another version.
 */
export async function readPausedRun(given: PausedRun, agent: string, options: PauseOptions): Promise<PausedRun> {
  const paused = toPlain(given)
  await assertPausedRun(paused, agent, options)
  return paused
}

/** Copies a paused run as plain data. It may come from a client, so it may be nested too deeply or not be JSON at all. */
function toPlain(given: PausedRun): PausedRun {
  let plain: PausedRun
  try {
    plain = JSON.parse(JSON.stringify(given) ?? 'null')
  } catch (cause) {
    throw invalidRun('it is not JSON, or nested too deeply', cause)
  }
  const fault = findFault(plain, MAX_DEPTH + 100)
  if (fault !== undefined) throw invalidRun(`its contents ${fault.words}`)
  return plain
}

/**
 * Reads the decisions, by call id. Throws `approval_invalid` for an invalid decision, for a call that isn't pending, and for a decision
 * that differs from an earlier one. Nothing has been run at that point.
 */
export function readDecisions(paused: PausedRun, decisions: Readonly<Record<string, unknown>>): ReadonlyMap<string, DecidedCall> {
  if (!isRecord(decisions))
    throw new AgentError('approval_invalid', '`decisions` must be an object with a decision for each pending call, by call id.')
  const read = new Map<string, DecidedCall>()
  for (const call of paused.decided) read.set(call.callId, { ...call, decision: toDecision(call.decision, call) })
  for (const [callId, value] of Object.entries(decisions)) {
    const call = [...paused.pending, ...paused.decided].find((candidate) => candidate.callId === callId)
    if (call === undefined)
      throw new AgentError(
        'approval_invalid',
        `The call "${callId}" is not pending. Pending calls: ${paused.pending.map((pending) => pending.callId).join(', ')}.`,
      )
    const decision = toDecision(value, call)
    const before = read.get(callId)?.decision
    if (before !== undefined && canonicalJson(before) !== canonicalJson(decision)) throw decidedBefore(callId, before)
    read.set(callId, { ...call, decision })
  }
  return read
}

export function waitingWords(pending: readonly PendingCall[]): string {
  const names = pending.map(({ name, callId }) => `"${name}" (${callId})`).join(', ')
  return `The run is paused until these calls are decided: ${names}. Pass the decisions to resume().`
}

/** Rejects if the tool of a pending call is missing or has changed. Called after the run's state is restored. */
export async function assertPending(pending: readonly PendingCall[], tools: ToolMap): Promise<void> {
  for (const call of pending) {
    const { callId, name, digest } = call
    const tool = tools.get(name)
    if (tool === undefined) throw invalidRun(`the agent no longer has the tool "${name}"`)
    // A call that has to be prepared again is compared later, after it has been prepared.
    const kept = fromShown(tool, { id: callId, name, args: call.args }, call)
    // Otherwise, a tool that no longer requires approval would run even if its call was rejected.
    if (tool.needsApproval !== true || (kept !== undefined && (await toShown(kept)).digest !== digest))
      throw new AgentError(
        'approval_invalid',
        `The tool "${name}" or the arguments of its call "${callId}" have changed since the run paused. Nothing was run. Start a new run.`,
      )
  }
}

/** Throws if a call can't continue from its records, because its tool is missing or no longer makes calls. */
export function assertOpen({ calls }: ModelTurn, nested: KeptRecords): void {
  for (const turnCall of calls) {
    const records = Object.hasOwn(nested, turnCall.raw.id) ? nested[turnCall.raw.id] : undefined
    if (records === undefined || 'error' in turnCall) continue
    const { call, tool } = turnCall
    if (tool === undefined) throw invalidRun(`the agent no longer has the tool "${call.name}"`)
    if (tool.nested === undefined && Object.hasOwn(records, 'turn-0'))
      throw invalidRun(`the tool "${call.name}" no longer has \`nested\`, but has made calls`)
  }
}

async function assertPausedRun(paused: PausedRun, agent: string, { key }: PauseOptions): Promise<void> {
  if (typeof paused !== 'object' || paused === null) throw invalidRun('it must be an object')
  if (paused.version !== 4)
    throw invalidRun(`it has format version ${JSON.stringify(paused.version)}, and this release reads version 4`)
  const { signature, ...rest } = paused
  if (key !== undefined && !(await isSigned(rest, signature, key)))
    throw invalidRun('its signature is invalid: it was changed, or signed with another key')
  const part = wrongPart({ ...paused })
  if (part !== undefined) throw invalidRun(`its "${part}" is missing or invalid`)
  if (paused.agent !== agent) throw invalidRun(`it belongs to the agent "${paused.agent}", not to "${agent}"`)
  if (!isInTime(paused.expiresAt))
    throw new AgentError('approval_expired', `The paused run expired at ${paused.expiresAt}. Start a new run.`)
}

/** Throws if the inputs no longer match the signature. */
export function assertPausedInputs({ inputs }: PausedRun, task: Signature, adapter: Adapter): void {
  try {
    adapter.begin(task, inputs)
  } catch (cause) {
    throw invalidRun('its "inputs" do not match the signature', cause)
  }
}

const FIX = 'Pass the paused run unchanged, to the agent that paused it.'

function invalidRun(reason: string, cause?: unknown): AgentError {
  return new AgentError('invalid_paused_run', `The run cannot be resumed: ${reason}. ${FIX}`, { cause })
}
