/** Makes a paused run, and checks one that is to go on. */
import type { Adapter, Signature } from '@x/adapters'
import { findFault, MAX_DEPTH, type ToolMap } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { canonicalJson, isRecord } from '../json.ts'
import type { DecidedCall, PendingCall } from './decision.ts'
import { isSigned, sign } from './digest.ts'
import { isInTime } from './expiry.ts'
import { wrongPart } from './paused-parts.ts'
import type { PausedRun } from './paused-run.ts'
import { fromShown, toShown } from './prepared.ts'
import { decidedBefore, toDecision } from './read-decision.ts'

export interface PauseOptions {
  /**
   * Signs paused runs, and refuses those that are not signed with it. Whoever can change a run that is not signed decides what is executed:
   * the arguments of a call that waits are not checked again.
   */
  readonly key?: string | undefined
  /** How long its calls can be decided, in milliseconds from the question on, also over a journal; for ever unless told. */
  readonly expiresInMs?: number | undefined
}

export async function toPausedRun(run: Omit<PausedRun, 'version' | 'signature'>, { key }: PauseOptions): Promise<PausedRun> {
  // A copy as JSON keeps it: what is signed is what comes back.
  const plain = JSON.parse(
    JSON.stringify({
      version: 2,
      ...run,
      response: { ...run.response, raw: undefined },
      // JSON has no word for what has no end.
      budget: Object.fromEntries(Object.entries(run.budget).filter(([, amount]) => Number.isFinite(amount))),
    }),
  ) as PausedRun
  return key === undefined ? plain : { ...plain, signature: await sign(plain, key) }
}

/**
 * The run as this version keeps it. Rejects with `invalid_paused_run` for one of an unknown version or another agent, or one that was
 * changed, and with `approval_expired`.
 */
export async function readPausedRun(given: PausedRun, agent: string, options: PauseOptions): Promise<PausedRun> {
  const paused = toPlain(given)
  await assertPausedRun(paused, agent, options)
  if (paused.version === 2) return paused
  const again = <Call extends PendingCall>(calls: readonly Call[]) => calls.map((call) => ({ ...call, executes: null }))
  return { ...paused, pending: again(paused.pending), decided: again(paused.decided) }
}

/** What comes from elsewhere may be nested without end, or not be JSON at all. */
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
 * What was decided, by call, if the run can go on with it. Throws `approval_invalid` for a decision that is none, one about a call that
 * does not wait, and another one than was given before. Nothing has been run then.
 */
export function readDecisions(paused: PausedRun, decisions: Readonly<Record<string, unknown>>): ReadonlyMap<string, DecidedCall> {
  if (!isRecord(decisions))
    throw new AgentError('approval_invalid', 'The decisions are none. Give an object with a decision for each call that waits.')
  const read = new Map<string, DecidedCall>()
  for (const call of paused.decided) read.set(call.callId, { ...call, decision: toDecision(call.decision, call) })
  for (const [callId, value] of Object.entries(decisions)) {
    const call = [...paused.pending, ...paused.decided].find((candidate) => candidate.callId === callId)
    if (call === undefined)
      throw new AgentError(
        'approval_invalid',
        `No call "${callId}" waits. Those that do: ${paused.pending.map((pending) => pending.callId).join(', ')}.`,
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
  return `The run waits for a decision about ${names}. Resume it with the decisions.`
}

/** Rejects where a tool is gone or is not what it was; asked once all that the run knew is there again. */
export async function assertPending(pending: readonly PendingCall[], tools: ToolMap): Promise<void> {
  for (const call of pending) {
    const { callId, name, digest } = call
    const tool = tools.get(name)
    if (tool === undefined) throw invalidRun(`the agent has no tool "${name}" any more`)
    // What has to be prepared again is compared then.
    const kept = fromShown(tool, { id: callId, name, args: call.args }, call)
    // A tool that asks nobody any more would run against a no.
    if (tool.needsApproval !== true || (kept !== undefined && (await toShown(kept)).digest !== digest))
      throw new AgentError(
        'approval_invalid',
        `The tool "${name}" is not what it was when its call "${callId}" was to be approved, or the arguments were changed.`,
      )
  }
}

async function assertPausedRun(paused: PausedRun, agent: string, { key }: PauseOptions): Promise<void> {
  if (typeof paused !== 'object' || paused === null || (paused.version !== 1 && paused.version !== 2))
    throw invalidRun('it is none of version 1 or 2')
  const { signature, ...rest } = paused
  if (key !== undefined && !(await isSigned(rest, signature, key)))
    throw invalidRun('its signature does not fit: it was changed, or signed with another key')
  const part = wrongPart({ ...paused })
  if (part !== undefined) throw invalidRun(`its "${part}" is missing or wrong`)
  if (paused.agent !== agent) throw invalidRun(`it is one of the agent "${paused.agent}"`)
  if (!isInTime(paused.expiresAt))
    throw new AgentError('approval_expired', `The run could be resumed until ${paused.expiresAt}. Start another one.`)
}

/** Rejects where the inputs are not those of the task any more. */
export function assertInputs({ inputs }: PausedRun, task: Signature, adapter: Adapter): void {
  try {
    adapter.begin(task, inputs)
  } catch (cause) {
    throw invalidRun('its "inputs" are not those of the task', cause)
  }
}

function invalidRun(reason: string, cause?: unknown): AgentError {
  return new AgentError('invalid_paused_run', `The run cannot be resumed: ${reason}.`, { cause })
}
