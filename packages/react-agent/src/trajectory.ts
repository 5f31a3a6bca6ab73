/** What was said and done in a run: the messages themselves, as plain data. */
import type { Message } from '@x/adapters'
import { AgentError } from './errors.ts'

/** The same for every adapter; `JSON.stringify` loses nothing of it. The system message is not part of it. */
export interface Trajectory {
  readonly version: 1
  readonly messages: readonly Message[]
}

export function toTrajectory(messages: readonly Message[]): Trajectory {
  return { version: 1, messages: [...messages] }
}

/** Rejects what is no trajectory, or one of another version. */
export function messagesOf(trajectory: Trajectory | undefined): readonly Message[] {
  if (trajectory === undefined) return []
  if (trajectory?.version === 1 && Array.isArray(trajectory.messages)) return trajectory.messages
  throw new AgentError('invalid_options', 'run: after must be a trajectory of version 1, as the result of a run holds it.')
}
