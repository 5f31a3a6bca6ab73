/** What a run gives, and how far it has come. */
import type { Message, OutputsOf, Signature, Usage } from '@x/adapters'
import type { UnknownCall } from './outcome.ts'

/**
 * `finished`: the model ended the task. `max_steps`: its steps were used up and it answered when it was made to. `stopped`: `stopWhen`
 * said so, and it answered then.
 */
export type Termination = 'finished' | 'max_steps' | 'stopped'

export interface ReactResult<S extends Signature = Signature> {
  readonly outputs: OutputsOf<S>
  readonly trajectory: Trajectory
  readonly termination: Termination
  /** Turns of the model in which it could call tools. */
  readonly steps: number
  /** Tokens of all turns of the run, as far as the provider reported them. */
  readonly usage: Usage
  /** Of that usage; undefined without `prices`, and where the provider reported none. */
  readonly cost?: number | undefined
  /** Calls that may have been carried out, and nobody knows: `UnknownCall` says how that comes. The model was told. */
  readonly unknownCalls: readonly UnknownCall[]
}

/** How far a run has come, for `stopWhen`. */
export interface RunState {
  readonly step: number
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly cost?: number | undefined
}

/** The messages of a run, and of those before it. The same for every adapter; `JSON.stringify` loses nothing of it. The system message is not part of it. */
export interface Trajectory {
  readonly version: 1
  readonly messages: readonly Message[]
}

export function toTrajectory(messages: readonly Message[]): Trajectory {
  return { version: 1, messages: [...messages] }
}
