/** Filters the events of a run: passes new ones and drops replayed ones. */
import type { AgentEvent, Steps } from '@x/react-agent'

export interface WatchedSteps {
  readonly steps: Steps
  /** Forwards only new events. */
  onEvent(event: AgentEvent): void
}

/**
 * Filters a run's events. A run is replayed from the beginning after each decision and each crash, and emits all its events again. An
 * event is new if this process made the model request of its turn, or executes a step of its call. Both are recognized by the agent's
 * step keys: `model-1`, `call-ID`, ….
 */
export function watchSteps(steps: Steps, onNew: (event: AgentEvent) => void): WatchedSteps {
  const turns = new Set<number>()
  const calls = new Set<string>()
  const started = new Map<string, AgentEvent>()
  const isNew = (step: number, callId: string) => turns.has(step) || calls.has(callId)
  const note = (key: string) => {
    const [, kind = '', rest = ''] = /^([a-z]+)-(.*)$/s.exec(key) ?? []
    if (kind === 'model' || kind === 'last') turns.add(Number(rest))
    if (!OF_CALLS.has(kind)) return
    calls.add(rest)
    const held = started.get(rest)
    started.delete(rest)
    if (held !== undefined) onNew(held)
  }
  return {
    steps: {
      run: (key, execute) =>
        steps.run(key, () => {
          note(key)
          return execute()
        }),
      wait: (key, about) => steps.wait(key, about),
    },
    onEvent(event) {
      if (event.type === 'assistant_message' && turns.has(event.step)) onNew(event)
      if (event.type === 'call_started') {
        if (isNew(event.step, event.call.id)) onNew(event)
        // The event is held back until this process executes a step of the call.
        else started.set(event.call.id, event)
      }
      if (event.type === 'call_finished' && isNew(event.step, event.observation.callId)) onNew(event)
    },
  }
}

const OF_CALLS: ReadonlySet<string> = new Set(['asked', 'decided', 'intent', 'call'])
