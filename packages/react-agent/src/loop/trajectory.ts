/** What was said and done in a run, and in those before it: the messages themselves, as plain data. */
import type { Message } from '@x/adapters'

/** The same for every adapter; `JSON.stringify` loses nothing of it. The system message is not part of it. */
export interface Trajectory {
  readonly version: 1
  readonly messages: readonly Message[]
}

export function toTrajectory(messages: readonly Message[]): Trajectory {
  return { version: 1, messages: [...messages] }
}
