/** Filters the events of a run: passes new ones and drops replayed ones. */
import type { AgentEvent, Steps } from '@x/react-agent'

export interface WatchedSteps {
  readonly steps: Steps
  /** Forwards only new events. */
  onEvent(event: AgentEvent): void
}

/**
 * Filters a run's events. A run is replayed from the beginning after each decision and each crash, and emits its events again, except for
 * `call_started`. An event is new if this process made the model request of its turn, or executes its call or a step of it. Steps are
 * recognized by the agent's keys: `model-1`, `call-ID`, ….
 */
export function watchSteps(steps: Steps, onNew: (event: AgentEvent) => void): WatchedSteps {
  const turns = new Set<number>()
  const calls = new Set<string>()
  const note = (key: string) => {
    const [, kind = '', rest = ''] = /^([a-z]+)-(.*)$/s.exec(key) ?? []
    if (kind === 'model' || kind === 'last') turns.add(Number(rest))
    if (kind === 'decided' || kind === 'call') calls.add(rest)
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
      if (event.type === 'call_started') calls.add(event.call.id)
      const isNew =
        event.type === 'call_started' ||
        (event.type === 'assistant_message' && turns.has(event.step)) ||
        (event.type === 'call_finished' && (turns.has(event.step) || calls.has(event.observation.callId)))
      if (isNew) onNew(event)
    },
  }
}
