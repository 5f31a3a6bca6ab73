/** An agent of which every run is traced. */
import { context } from '@opentelemetry/api'
import type { Signature } from '@x/adapters'
import type { AgentRun, ReactAgent } from '@x/react-agent'
import { type TelemetryOptions, toTelemetry } from './options.ts'
import { followRun, openRun } from './spans/trace-run.ts'

/**
 * The same agent, whose `run` and `resume` are traced as by `traceRun`. The span of a run is the active one within it, so that
 * what tools and clients trace themselves stands under it, and an agent that a tool asks. Throws `TypeError` for a wrong option.
 */
export function withTelemetry<S extends Signature>(agent: ReactAgent<S>, options: TelemetryOptions = {}): ReactAgent<S> {
  // Here for its errors; at each run it finds the meter that is registered by then.
  toTelemetry(options)
  const trace = (start: () => AgentRun<S>): AgentRun<S> => {
    const spans = openRun(options, options.agentName ?? agent.name)
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
