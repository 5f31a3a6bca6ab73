/** Misuses of @x/otel. Each one must be a type error. */
import { trace } from '@opentelemetry/api'
import type { LM } from '@x/adapters'
import { traceLM, traceRun, withTelemetry } from '@x/otel'

declare const lm: LM
// @ts-expect-error a request must have messages
traceLM(lm, { tracer: trace.getTracer('app') }).generate({})
// @ts-expect-error the trace API isn't a tracer
traceLM(lm, { tracer: trace })
// @ts-expect-error a bare promise has no events
traceRun(Promise.resolve(1))
// @ts-expect-error a model isn't an agent
withTelemetry(lm)
