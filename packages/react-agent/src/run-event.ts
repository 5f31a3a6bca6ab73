/** Events as a run emits them, before they are converted for its readers. */
import { type CallEnd, toFinishedCall } from './calls/finished-call.ts'
import type { AgentEvent } from './events.ts'

/** An event before it is converted for its readers. It isn't converted if the run has no readers. */
export type RunEvent = Exclude<AgentEvent, { readonly type: 'call_finished' }> | (CallEnd & Place)

interface Place {
  readonly parentCallId?: string | undefined
}

export function toAgentEvent(event: RunEvent): AgentEvent {
  if (event.type !== 'call_finished') return event
  const { type, step, ms, parentCallId } = event
  return { type, step, ms, ...(parentCallId !== undefined && { parentCallId }), ...toFinishedCall(event) }
}

/** Emits an event. Returns a promise if a reader is too slow. Await it for backpressure. */
export type Emit = (event: RunEvent) => void | Promise<void>
