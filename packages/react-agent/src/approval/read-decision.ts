/** Reads decisions from callbacks, journals and the network. */
import { boundOutput } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { isRecord } from '../json.ts'
import type { Decision, PendingCall } from './decision.ts'
import { toKept, toKnown } from './prepared.ts'

/** Validates a decision. Throws `approval_invalid`. */
export function toDecision(value: unknown, { callId, needs }: Pick<PendingCall, 'callId' | 'needs'>): Decision {
  const decision: unknown = typeof value === 'boolean' ? { type: value ? 'approve' : 'reject' } : isRecord(value) && { ...value }
  if (isDecision(decision) && (decision.type === 'reject' || NEEDED_BY[decision.type] === needs)) return asJson(decision, callId)
  throw new AgentError('approval_invalid', `The decision about the call "${callId}" is invalid. It must be ${FORMS[needs]}.`)
}

/** Copies a decision as JSON, so that later changes to the caller's object don't affect what is recorded and executed. */
function asJson(decision: Decision, callId: string): Decision {
  if (decision.type === 'result') return { ...decision, output: boundOutput(decision.output).value }
  if (decision.type === 'input') {
    const input = toKnown(decision.input)
    if (input !== undefined) return { ...decision, input }
    throw new AgentError('approval_invalid', `The input for the call "${callId}" must be JSON, and not too long.`)
  }
  if (decision.type !== 'edit') return decision
  const args = toKept(decision.args)
  if (args !== null) return { ...decision, args }
  throw new AgentError('approval_invalid', `The edited arguments for the call "${callId}" must be plain JSON.`)
}

/**
 * Validates a decision. Call it before you record the decision in a journal, because a run that reads an invalid decision fails. `call` is
 * the pending call. Throws `AgentError` with the code `approval_invalid` and a message for the approver.
 */
export function assertDecision(value: unknown, call: Pick<PendingCall, 'callId' | 'needs'>): asserts value is Decision | boolean {
  toDecision(value, call)
}

/** Returns true for the second argument of `steps.wait` if it is an agent's pending call. */
export function isPendingCall(about: unknown): about is Pick<PendingCall, 'callId' | 'needs'> {
  if (!isRecord(about)) return false
  const { callId, digest, needs } = about
  return typeof callId === 'string' && typeof digest === 'string' && typeof needs === 'string' && Object.hasOwn(FORMS, needs)
}

/** Returns the error for a decision that differs from an earlier one. */
export function decidedBefore(callId: string, decision: Decision): AgentError {
  // The message omits a client's result or an answer, because it may be long.
  const words =
    decision.type === 'result' || decision.type === 'input' ? `its ${decision.type} was given` : JSON.stringify(decision)
  return new AgentError(
    'approval_invalid',
    `The call "${callId}" was already decided differently: ${words}. That decision remains valid. Nothing was run.`,
  )
}

/** For each type of decision, the `needs` of the calls for which it is valid. `reject` is valid for every call. */
const NEEDED_BY = { approve: 'approval', edit: 'approval', result: 'result', input: 'input' } as const

const FORMS = {
  approval: 'true, false, { type: "approve" }, { type: "edit", args }, or { type: "reject", reason? }',
  result: '{ type: "result", output } or { type: "reject", reason? }, because the tool runs on the client',
  input: '{ type: "input", input } or { type: "reject", reason? }, because it is a question',
} as const

export function isDecision(value: unknown): value is Decision {
  if (!isRecord(value)) return false
  const { type, args, reason } = value
  if (type === 'edit') return isRecord(args)
  if (type === 'reject') return reason === undefined || typeof reason === 'string'
  // `approve` with arguments is invalid, because the approver probably meant to edit the call.
  if (type === 'approve') return args === undefined
  return (type === 'result' && 'output' in value) || (type === 'input' && 'input' in value)
}
