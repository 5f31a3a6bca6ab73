/** Traces a run by reading its events. */
import { context } from '@opentelemetry/api'
import type { AgentEvent, Run } from '@x/react-agent'
import { guarded } from '../guarded.ts'
import { type TelemetryOptions, toTelemetry } from '../options.ts'
import { RunSpans, type RunSummary } from './run-spans.ts'

/**
 * Traces a run. The active span becomes the parent. Call this before the next `await`, so that the run is traced from its
 * beginning. Returns a run with the same result, error and stream. When it settles, its spans have ended. Errors in the tracer,
 * the meter or `redact` are logged with OpenTelemetry's `diag` and don't affect the run. If a run fails and nothing awaits it,
 * its span reports the failure, and there is no unhandled rejection. Throws `TypeError` for an invalid option.
 */
export function traceRun<Result, Event extends AgentEvent<RunSummary>>(
  run: Run<Result, Event>,
  options: TelemetryOptions = {},
): Run<Result, Event> {
  if (typeof run?.stream !== 'function')
    throw new TypeError('traceRun requires a run. Pass the result of `agent.run(inputs)` without awaiting it.')
  return followRun(run, openRun(options, options.agentName))
}

/** Starts the span of a run. `tools` are the tools that are known before the first request. A resumed run starts with their calls. */
export function openRun(
  options: TelemetryOptions,
  agentName: string | undefined,
  tools: Iterable<readonly [name: string, tool: { readonly args: object }]> = [],
): RunSpans {
  const telemetry = toTelemetry(options)
  if (telemetry.content !== undefined) for (const [name, { args }] of tools) telemetry.content.know(name, args)
  return new RunSpans(telemetry, context.active(), agentName)
}

/**
 * Passes a run's events to its spans. Reads each event when it arrives, so that the run never waits for this reader. `Event` must
 * be an `AgentEvent`, which the compiler can't verify for an agent with generic calls.
 */
export function followRun<Result, Event>(run: Run<Result, Event>, spans: RunSpans): Run<Result, Event> {
  const followed = follow(run.stream() as AsyncIterable<never>, spans).then(() => run)
  // A caller that awaits only the original run, or only reads its events, gets the failure from there.
  followed.catch(() => undefined)
  return Object.assign(followed, { stream: () => run.stream() })
}

async function follow(events: AsyncIterable<AgentEvent<RunSummary>>, spans: RunSpans): Promise<void> {
  try {
    for await (const event of events) guarded(`tracing the event "${event.type}"`, () => spans.record(event))
  } catch (error) {
    guarded('tracing a failure', () => spans.fail(error))
    return
  }
  guarded('tracing an end', () => spans.end())
}
