/** Tells what of a run happens here and now: what was recorded before is given again in silence. */
import type { AgentEvent, Steps } from '@x/react-agent'

export interface WatchedSteps {
  readonly steps: Steps
  /** Hands on the events that are new. */
  onEvent(event: AgentEvent): void
}

/**
 * A run is executed from its beginning again after each decision and each crash, and tells of all its events again. Those of a turn that
 * the model was not asked for here are old, unless a step of their call is executed here. The keys of the steps are those of an agent:
 * `model-1`, `call-ID`, ….
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
      if (event.type === 'turn' && turns.has(event.step)) onNew(event)
      if (event.type === 'call_started') {
        if (isNew(event.step, event.call.id)) onNew(event)
        // It may be executed here in a moment.
        else started.set(event.call.id, event)
      }
      if (event.type === 'call_finished' && isNew(event.step, event.observation.callId)) onNew(event)
    },
  }
}

const OF_CALLS: ReadonlySet<string> = new Set(['asked', 'decided', 'intent', 'call'])
