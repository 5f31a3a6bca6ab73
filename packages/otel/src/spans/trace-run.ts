/** Follows a run by its events, as spans and metrics. */
import { context } from '@opentelemetry/api'
import type { AgentEvent, Run } from '@x/react-agent'
import { type TelemetryOptions, toTelemetry } from '../options.ts'
import { guarded } from './guarded.ts'
import { RunSpans, type RunSummary } from './run-spans.ts'

/**
 * Traces the run, from its beginning when it is called before the next `await`, under the span that is active now. Gives the run: the
 * same result, error and stream, and its spans have ended when it settles. What a tracer, a meter or `redact` throws goes to
 * OpenTelemetry's `diag` log and nowhere else. A run that fails while nobody waits for it is told by its span alone, and not as an
 * unhandled rejection. Throws `TypeError` for a wrong option.
 */
export function traceRun<Result, Event extends AgentEvent<RunSummary>>(
  run: Run<Result, Event>,
  options: TelemetryOptions = {},
): Run<Result, Event> {
  if (typeof run?.stream !== 'function')
    throw new TypeError('traceRun takes a run: what `agent.run(inputs)` gives, without `await`.')
  return followRun(run, openRun(options, options.agentName))
}

/** Starts the span of a run. */
export function openRun(options: TelemetryOptions, agentName: string | undefined): RunSpans {
  return new RunSpans(toTelemetry(options), context.active(), agentName)
}

/** Tells the spans what happens in the run. Each event is taken as it comes, so that nobody waits for this reader. */
export function followRun<Result, Event extends AgentEvent<RunSummary>>(
  run: Run<Result, Event>,
  spans: RunSpans,
): Run<Result, Event> {
  const followed = follow(run.stream(), spans).then(() => run)
  // Whoever waits for the run that was handed over, or only reads its events, hears of a failure there.
  followed.catch(() => undefined)
  return Object.assign(followed, { stream: () => run.stream() })
}

async function follow(events: AsyncIterable<AgentEvent<RunSummary>>, spans: RunSpans): Promise<void> {
  try {
    for await (const event of events) guarded(`tracing the event "${event.type}"`, () => spans.tell(event))
  } catch (error) {
    guarded('tracing a failure', () => spans.fail(error))
    return
  }
  guarded('tracing an end', () => spans.end())
}
