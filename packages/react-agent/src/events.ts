/** The events of a run. */
import type { LMDelta, LMRequest, LMResponse, Usage } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'
import type { Decision, PendingCall } from './approval/decision.ts'
import type { RefusalReason } from './loop/outcome.ts'
import type { AgentCalls } from './tools/agent-tools.ts'

/**
 * An event of a run. `at` is its time in milliseconds since 1970, which never decreases within a run. For a call that a tool or an inner
 * agent made, `parentCallId` is the id of the outer call. If the names of the agent's tools are known, the name of a call narrows the
 * event's type.
 */
export type AgentEvent<Result = unknown, Calls extends AgentCalls = AgentCalls> = {
  readonly at?: number | undefined
  readonly parentCallId?: string | undefined
} & (
  | { readonly type: 'run_started'; readonly runId: string; readonly agent: string }
  | { readonly type: 'step_started'; readonly step: number }
  /** A request is sent. Not emitted if the response comes from a journal. `request` is mutated later, so copy it if you keep it. */
  | { readonly type: 'model_started'; readonly step: number; readonly request: LMRequest }
  /** A delta of the response. Only with `stream: true`. */
  | { readonly type: 'delta'; readonly step: number; readonly delta: LMDelta }
  /** The value at a JSON pointer in the arguments of a call is complete. Only with `stream: true`. */
  | {
      readonly type: 'argument'
      readonly step: number
      readonly callId: string
      readonly name: string
      readonly pointer: string
      readonly value: unknown
    }
  /** The provider's response, with its usage. */
  | { readonly type: 'model_finished'; readonly step: number; readonly response: LMResponse }
  /** The response contains usage amounts that aren't whole numbers of 0 or more. These amounts don't count toward a budget. */
  | { readonly type: 'usage_ignored'; readonly step: number; readonly amounts: readonly (keyof Usage)[] }
  /** The model's turn after parsing. Its text is the thought. */
  | { readonly type: 'assistant_message'; readonly step: number; readonly response: LMResponse }
  /** A call requires approval. This event and the next one aren't emitted if a journal has the request, or the decision. */
  | { readonly type: 'approval_requested'; readonly step: number; readonly call: PendingCall }
  | {
      readonly type: 'approval_decided'
      readonly step: number
      readonly callId: string
      readonly name: string
      readonly decision: Decision['type']
    }
  /** A tool is executed. Not emitted if the call's result comes from a journal. Once per call, even if the tool is executed again. */
  | { readonly type: 'call_started'; readonly step: number; readonly call: Calls['started'] }
  | { readonly type: 'call_progress'; readonly step: number; readonly callId: string; readonly update: unknown }
  /** A call was refused and not run. */
  | { readonly type: 'call_refused'; readonly step: number; readonly call: ToolCall; readonly reason: RefusalReason }
  /** A call has its result. `ms` is its wall time. Malformed, replayed and other calls that weren't run have no `call_started`. */
  | ({ readonly type: 'call_finished'; readonly step: number; readonly ms: number } & Calls['finished'])
  /** Descriptions of the repairs made to the `history` of the run. */
  | { readonly type: 'history_repaired'; readonly repairs: readonly string[] }
  | { readonly type: 'finished'; readonly result: Result }
)
