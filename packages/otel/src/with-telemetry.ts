/** Traces the runs of an agent. */
import { context } from '@opentelemetry/api'
import type { Signature } from '@x/adapters'
import type { AgentCalls, AgentRun, ReactAgent } from '@x/react-agent'
import { type TelemetryOptions, toTelemetry } from './options.ts'
import { followRun, openRun } from './spans/trace-run.ts'

/**
 * Returns an agent whose `run` and `resume` are traced with `traceRun`. The span of a run is active while it runs, so it becomes
 * the parent of spans that tools and clients create, and of the runs of agents that tools call. Throws `TypeError` for an invalid
 * option.
 */
export function withTelemetry<S extends Signature, Calls extends AgentCalls>(
  agent: ReactAgent<S, Calls>,
  options: TelemetryOptions = {},
): ReactAgent<S, Calls> {
  // Validates the options now. Telemetry itself is created for each run, because a meter may be registered later.
  toTelemetry(options)
  const trace = (start: () => AgentRun<S, Calls>): AgentRun<S, Calls> => {
    const spans = openRun(options, options.agentName ?? agent.name, agent.tools)
    try {
      return followRun(context.with(spans.context, start), spans)
    } catch (error) {
      spans.fail(error)
      throw error
    }
  }
  return {
    ...agent,
    run: (inputs, rest) => trace(() => agent.run(inputs, rest)),
    resume: (paused, decisions, rest) => trace(() => agent.resume(paused, decisions, rest)),
  }
}
