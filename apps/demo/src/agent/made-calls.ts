/** A run's calls, collected from its events. */
import type { AgentEvent } from '@x/react-agent'

/** A call that was made, as the model wrote it or as the user edited it. */
export interface MadeCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly ok: boolean
}

/** Keeps calls in the order in which they started. A malformed call has no start event. */
export function noteCall(calls: Map<string, MadeCall>, event: AgentEvent): void {
  if (event.type === 'call_started') calls.set(event.call.id, { tool: event.call.name, args: event.call.args, ok: false })
  if (event.type !== 'call_finished') return
  const { callId, name, ok } = event.observation
  calls.set(callId, { ...(calls.get(callId) ?? { tool: name, args: {} }), ok })
}
