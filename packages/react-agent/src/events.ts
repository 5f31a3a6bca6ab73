/** What happens in a run, as it happens. */
import type { LMDelta, LMResponse, Observation } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'

export type AgentEvent<Result = unknown> =
  | { readonly type: 'step_started'; readonly step: number }
  /** Only when the agent streams. */
  | { readonly type: 'delta'; readonly step: number; readonly delta: LMDelta }
  /** The model's turn: its text is the thought. */
  | { readonly type: 'turn'; readonly step: number; readonly response: LMResponse }
  | { readonly type: 'call_started'; readonly step: number; readonly call: ToolCall }
  | { readonly type: 'call_progress'; readonly step: number; readonly callId: string; readonly update: unknown }
  /** `ms` is the wall time of the call. A call that could not be read has no `call_started`. */
  | { readonly type: 'call_finished'; readonly step: number; readonly observation: Observation; readonly ms: number }
  | { readonly type: 'finished'; readonly result: Result }

export type Emit = (event: AgentEvent) => void
