/** How long a call may wait to be decided. */
import { AgentError } from '../errors.ts'

export interface Expiry {
  /** ISO 8601; for ever where it is left out. */
  readonly expiresAt?: string | undefined
}

/** From now on; of a call that waited before it stays what it was. */
export function endOf(expiresInMs = Number.POSITIVE_INFINITY, before?: string | undefined): Expiry {
  if (before !== undefined) return { expiresAt: before }
  const end = Date.now() + expiresInMs
  return end <= LAST_TIME ? { expiresAt: new Date(end).toISOString() } : {}
}

/** Of what a `Date` can hold. */
const LAST_TIME = 8_640_000_000_000_000

/** A journal does not say when something was decided: it counts when the run hears of it. */
export function assertInTime(callId: string, { expiresAt }: Expiry): void {
  if (isInTime(expiresAt)) return
  throw new AgentError('approval_expired', `The call "${callId}" could be decided until ${expiresAt}. Start another run.`)
}

/** Not for what is no time. */
export function isInTime(expiresAt: string | undefined): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) > Date.now()
}
