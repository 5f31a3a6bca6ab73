/** Keeps faults of tracers, meters and redaction out of the program: they are told to OpenTelemetry's own log. */
import { diag } from '@opentelemetry/api'
import { errorTypeOf } from './error-type.ts'

/** What `action` gives; undefined when it throws. What it threw is told without its words, which may hold content. */
export function guarded<T>(what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    tell(`@x/otel: ${what} failed (${errorTypeOf(error)}).`)
    return undefined
  }
}

function tell(words: string): void {
  try {
    diag.error(words)
  } catch {
    // A log that throws has nobody left to tell, and the run goes on without it.
  }
}
