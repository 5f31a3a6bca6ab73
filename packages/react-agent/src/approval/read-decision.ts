/** A decision, wherever it comes from. */
import { boundOutput } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { isRecord } from '../json.ts'
import type { Decision, PendingCall } from './decision.ts'
import { toKept } from './prepared.ts'

/** Reads what may come from a callback, a journal or the network. Throws `approval_invalid` for what is no decision. */
export function toDecision(value: unknown, { callId, needs }: Pick<PendingCall, 'callId' | 'needs'>): Decision {
  const decision: unknown = typeof value === 'boolean' ? { type: value ? 'approve' : 'reject' } : isRecord(value) && { ...value }
  if (isDecision(decision) && (decision.type === 'reject' || (decision.type === 'result') === (needs === 'result')))
    return asJson(decision, callId)
  throw new AgentError(
    'approval_invalid',
    `What was decided about the call "${callId}" cannot be used. It must be ${needs === 'result' ? RESULTS : APPROVALS}.`,
  )
}

/** What is recorded, shown to the model and executed must be the same, also where the caller changes its object later. */
function asJson(decision: Decision, callId: string): Decision {
  if (decision.type === 'result') return { ...decision, output: boundOutput(decision.output).value }
  if (decision.type !== 'edit') return decision
  const args = toKept(decision.args)
  if (args !== null) return { ...decision, args }
  throw new AgentError('approval_invalid', `The arguments that were to replace those of the call "${callId}" are no JSON.`)
}

/**
 * For whoever takes decisions from people or programs, before a journal keeps them: a run that is given one which cannot be used fails.
 * `call` is what the run waits for. Throws `AgentError` with `approval_invalid` and words for whoever decided.
 */
export function assertDecision(value: unknown, call: Pick<PendingCall, 'callId' | 'needs'>): asserts value is Decision | boolean {
  toDecision(value, call)
}

/** Nobody takes back what was decided. */
export function decidedBefore(callId: string, decision: Decision): AgentError {
  // What a client brought may be long.
  const words = decision.type === 'result' ? 'a result was given' : JSON.stringify(decision)
  return new AgentError(
    'approval_invalid',
    `Something else was decided about the call "${callId}" before: ${words}. That stays; nothing was run now.`,
  )
}

const APPROVALS = 'true, false, { type: "approve" }, { type: "edit", args }, or { type: "reject", reason? }'
const RESULTS = '{ type: "result", output }, since its tool runs at the client, or { type: "reject", reason? }'

export function isDecision(value: unknown): value is Decision {
  if (!isRecord(value)) return false
  const { type, args, reason } = value
  if (type === 'edit') return isRecord(args)
  if (type === 'reject') return reason === undefined || typeof reason === 'string'
  return type === 'approve' || (type === 'result' && 'output' in value)
}
