/** The demo's durable run function, which runs an agent. */
import type { RunFunction } from '@x/durable'
import type { AgentEvent } from '@x/react-agent'
import { noteCall } from '../agent/made-calls.ts'
import type { Agents } from './agents.ts'
import type { RunCall, RunInput, RunOutput } from './run-data.ts'
import { watchSteps } from './watched-steps.ts'

export interface RunFunctionOptions {
  readonly agents: Agents
  /** Called for events that happen in this process, not for replayed ones. */
  onEvent(id: string, input: RunInput, event: AgentEvent): void
  /** Called if the run can't be executed in this process. The run hasn't failed: another process can execute it. */
  onUnable(id: string, failure: unknown): void
}

export function createRunFunction({ agents, onEvent, onUnable }: RunFunctionOptions): RunFunction<RunInput, RunOutput> {
  return async (input, { id, steps, signal }) => {
    const agent = await agents.agentFor(input).catch((failure: unknown) => {
      onUnable(id, failure)
      return aborted(signal)
    })
    const calls = new Map<string, RunCall>()
    const rejected = new Set<string>()
    const watched = watchSteps(steps, (event) => {
      // Events after an abort aren't shown.
      if (!signal.aborted) onEvent(id, input, event)
    })
    const run = agent.run({ request: input.request }, { id, steps: watched.steps, signal, context: { user_id: input.user } })
    for await (const event of run.stream()) {
      noteCall(calls, event)
      if (event.type === 'call_finished' && event.observation.code === 'rejected') rejected.add(event.observation.callId)
      watched.onEvent(event)
    }
    const { outputs, unknownCalls } = await run
    return {
      answer: outputs.answer,
      calls: [...calls].map(([callId, call]) => (rejected.has(callId) ? { ...call, isRejected: true } : call)),
      unknownCalls: unknownCalls.map(({ name }) => name),
    }
  }
}

/** Returns a promise that rejects when the engine aborts the run. Rejecting earlier would make the run fail permanently. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
