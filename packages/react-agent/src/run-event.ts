/** Events as the code inside a run emits them. */
import { type CallEnd, toFinishedCall } from './calls/finished-call.ts'
import type { AgentEvent } from './events.ts'

/** An event before it is converted for its readers. Without readers it isn't converted. */
export type RunEvent = Exclude<AgentEvent, { readonly type: 'call_finished' }> | EndedCall

type EndedCall = { readonly type: 'call_finished'; readonly step: number; readonly ms: number } & CallEnd

export function toAgentEvent(event: RunEvent): AgentEvent {
  if (event.type !== 'call_finished') return event
  const { type, step, ms, ...end } = event
  return { type, step, ms, ...toFinishedCall(end) }
}

/** Returns a promise when a reader lags behind. Await it for backpressure. */
export type Emit = (event: RunEvent) => void | Promise<void>
