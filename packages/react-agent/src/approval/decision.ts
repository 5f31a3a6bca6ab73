/** A call that waits, and what somebody decides about it. */
import { AgentError } from '../errors.ts'

/** A call that the run waits for. Plain data. */
export interface PendingCall {
  readonly callId: string
  readonly name: string
  /** As they will be executed: checked, with defaults filled in. */
  readonly args: Readonly<Record<string, unknown>>
  /** A yes or a no; or, for a client tool, what it gave where the client ran it. */
  readonly needs: 'approval' | 'result'
  /** SHA-256 of the tool as it is declared and of `args`: a decision is about nothing else. */
  readonly digest: string
}

/** `edit` is a yes to other arguments, which are checked again. `result` ends a call of a client tool. */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'reject'; readonly reason?: string | undefined }
  | { readonly type: 'result'; readonly output: unknown }

/** What was decided about a call before it was asked about again. */
export interface GivenDecision {
  readonly decision: Decision
  /** Of the call as it was shown. */
  readonly digest: string
}

/** Reads what may come from a callback, a journal or the network. Throws `approval_invalid` for what is no decision. */
export function toDecision(value: unknown, { callId, needs }: Pick<PendingCall, 'callId' | 'needs'>): Decision {
  const decision: unknown = typeof value === 'boolean' ? { type: value ? 'approve' : 'reject' } : value
  if (isDecision(decision) && (decision.type === 'reject' || (decision.type === 'result') === (needs === 'result')))
    return decision
  throw new AgentError(
    'approval_invalid',
    `What was decided about the call "${callId}" cannot be used. It must be ${needs === 'result' ? RESULTS : APPROVALS}.`,
  )
}

const APPROVALS = 'true, false, { type: "approve" }, { type: "edit", args }, or { type: "reject", reason? }'
const RESULTS = '{ type: "result", output }, since its tool runs at the client, or { type: "reject", reason? }'

function isDecision(value: unknown): value is Decision {
  if (!isObject(value)) return false
  const { type, args, reason } = value
  if (type === 'edit') return isObject(args) && !Array.isArray(args)
  if (type === 'reject') return reason === undefined || typeof reason === 'string'
  return type === 'approve' || (type === 'result' && 'output' in value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
