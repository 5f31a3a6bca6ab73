/** The result of a run, and its state. */
import type { AssistantMessage, Message, OutputsOf, RawToolCall, Signature, ToolMessage, Usage } from '@x/adapters'
import type { UnknownCall } from './outcome.ts'

/**
 * Why a run ended. `finished`: the model ended the task. `max_steps`: the steps were used up, and the model was asked for its final answer.
 * `stopped`: `stopWhen` returned true, and the model was asked for its final answer.
 */
export type Termination = 'finished' | 'max_steps' | 'stopped'

export interface ReactResult<S extends Signature = Signature, Name extends string = string> {
  readonly outputs: OutputsOf<S>
  readonly trajectory: Trajectory<Name>
  readonly termination: Termination
  /** Number of turns in which the model could call tools. */
  readonly steps: number
  /** Token usage that the provider reported for the whole run. */
  readonly usage: Usage
  /** Cost of that usage. Undefined without `prices`, or if the provider reported no usage. */
  readonly cost?: number | undefined
  /** Calls that may or may not have taken effect: see `UnknownCall`. They were reported to the model. */
  readonly unknownCalls: readonly UnknownCall[]
}

/** The state of a run, for `stopWhen`. */
export interface RunState {
  /** Number of turns so far. */
  readonly step: number
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly cost?: number | undefined
}

/**
 * The messages of a run and of the runs before it, without the system message. Their format doesn't depend on the adapter, and JSON
 * represents them without loss. `Name` is the union of the names in calls.
 */
export interface Trajectory<Name extends string = string> {
  readonly version: 1
  readonly messages: readonly MessageOf<Name>[]
}

type MessageOf<Name extends string> =
  | Exclude<Message, AssistantMessage | ToolMessage>
  | NamedAssistantMessage<Name>
  | NamedToolMessage<Name>

/** A model's message whose calls all have one of these names. */
export interface NamedAssistantMessage<Name extends string> extends AssistantMessage {
  readonly toolCalls?: readonly NamedRawCall<Name>[] | undefined
}

/** A call with one of these names, as the model wrote it. */
export interface NamedRawCall<Name extends string> extends RawToolCall {
  readonly name: Name
}

/** The result of a call with one of these names. */
export interface NamedToolMessage<Name extends string> extends ToolMessage {
  readonly name: Name
}

export function toTrajectory(messages: readonly Message[]): Trajectory {
  return { version: 1, messages: [...messages] }
}
