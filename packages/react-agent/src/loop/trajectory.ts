/** The messages of a run and of the runs before it, as plain data. */
import type { Message } from '@x/adapters'

/** The same for every adapter. It survives `JSON.stringify` unchanged. The system message isn't part of it. */
export interface Trajectory {
  readonly version: 1
  readonly messages: readonly Message[]
}

export function toTrajectory(messages: readonly Message[]): Trajectory {
  return { version: 1, messages: [...messages] }
}
