/** The time limit for decisions. */
import { AgentError } from '../errors.ts'

export interface Expiry {
  /** Latest time for a decision, in ISO 8601. Undefined if decisions don't expire. */
  readonly expiresAt?: string | undefined
}

/** Returns the expiry of a call that is shown now. A call that was shown before keeps its expiry. */
export function endOf(expiresInMs = Number.POSITIVE_INFINITY, before?: string | undefined): Expiry {
  if (before !== undefined) return { expiresAt: before }
  const end = Date.now() + expiresInMs
  return end <= LAST_TIME ? { expiresAt: new Date(end).toISOString() } : {}
}

/** The latest time that a `Date` can represent. */
const LAST_TIME = 8_640_000_000_000_000

/**
 * Throws `approval_expired` if it is too late for a decision. The time at which the run reads the decision counts, because a journal
 * doesn't record when the decision was made.
 */
export function assertInTime(callId: string, { expiresAt }: Expiry): void {
  if (isInTime(expiresAt)) return
  throw new AgentError('approval_expired', `The approval of the call "${callId}" expired at ${expiresAt}. Start a new run.`)
}

/** Returns true if the time is in the future or undefined. Returns false for an invalid date. */
export function isInTime(expiresAt: string | undefined): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) > Date.now()
}
