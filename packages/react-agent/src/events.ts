/** What happens in a run, as it happens. */
import type { LMDelta, LMRequest, LMResponse, Observation, Usage } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'
import type { Decision, PendingCall } from './approval/decision.ts'
import type { Refusal } from './calls/call-guards.ts'

/** `at`: when it happened, in milliseconds since 1970; within a run it never goes back. */
export type AgentEvent<Result = unknown> = { readonly at?: number | undefined } & (
  | { readonly type: 'run_started'; readonly runId: string; readonly agent: string }
  | { readonly type: 'step_started'; readonly step: number }
  /** A request goes out; not told of one whose response comes from a journal. It is live: copy what you keep. */
  | { readonly type: 'model_started'; readonly step: number; readonly request: LMRequest }
  /** Only when the agent streams. */
  | { readonly type: 'delta'; readonly step: number; readonly delta: LMDelta }
  /** Only when the agent streams: the value at a JSON pointer in the arguments of a call is whole. */
  | {
      readonly type: 'argument'
      readonly step: number
      readonly callId: string
      readonly name: string
      readonly pointer: string
      readonly value: unknown
    }
  /** The response as the provider gave it, with its usage. */
  | { readonly type: 'model_finished'; readonly step: number; readonly response: LMResponse }
  /** Amounts of the response's usage that aren't whole numbers from 0. They count toward no budget. */
  | { readonly type: 'usage_ignored'; readonly step: number; readonly amounts: readonly (keyof Usage)[] }
  /** The model's turn as it was read: its text is the thought. */
  | { readonly type: 'turn'; readonly step: number; readonly response: LMResponse }
  | { readonly type: 'approval_requested'; readonly step: number; readonly call: PendingCall }
  | { readonly type: 'approval_decided'; readonly step: number; readonly callId: string; readonly decision: Decision['type'] }
  | { readonly type: 'call_started'; readonly step: number; readonly call: ToolCall }
  | { readonly type: 'call_progress'; readonly step: number; readonly callId: string; readonly update: unknown }
  /** A call that leads nowhere was not run. */
  | { readonly type: 'call_refused'; readonly step: number; readonly call: ToolCall; readonly reason: Refusal['reason'] }
  /** `ms` is the wall time of the call. A call that could not be read, or was not run, has no `call_started`. */
  | { readonly type: 'call_finished'; readonly step: number; readonly observation: Observation; readonly ms: number }
  /** What was wrong with the messages that the run was to go on from, and was put right. */
  | { readonly type: 'history_repaired'; readonly repairs: readonly string[] }
  | { readonly type: 'finished'; readonly result: Result }
)

/** Gives a promise to wait for where somebody who watches lags behind. */
export type Emit = (event: AgentEvent) => void | Promise<void>
