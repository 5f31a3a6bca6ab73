/** Collects the calls of a run from its events. */
import type { AgentEvent } from '@x/react-agent'

/** A call with the arguments that the model wrote, or that the user edited. */
export interface MadeCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly ok: boolean
}

/** Adds a call when it starts, and its outcome when it finishes. A call that isn't executed, or is replayed, has no start event. */
export function noteCall(calls: Map<string, MadeCall>, event: AgentEvent): void {
  if (event.type === 'call_started') calls.set(event.call.id, { tool: event.call.name, args: event.call.args, ok: false })
  if (event.type !== 'call_finished') return
  const { callId, name, ok } = event.observation
  calls.set(callId, { ...(calls.get(callId) ?? { tool: name, args: event.args ?? {} }), ok })
}
