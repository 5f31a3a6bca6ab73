export type { ModelTelemetryOptions, TelemetryOptions } from './options.ts'
export { traceLM } from './spans/trace-lm.ts'
export { traceRun } from './spans/trace-run.ts'
export { withTelemetry } from './with-telemetry.ts'
