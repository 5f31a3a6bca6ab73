/** Keeps faults of tracers, meters and redaction out of the program: they are told to OpenTelemetry's own log. */
import { diag } from '@opentelemetry/api'

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

/**
 * The HTTP status of a request that a host refused; else the provider's own code, else the `code` of the error, else its `name`; `_OTHER`
 * for what has none of them, or none that looks like a name.
 */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return OTHER
  const { status, providerCode, code, name } = error as Readonly<Record<string, unknown>>
  if (typeof status === 'number' && Number.isInteger(status)) return String(status)
  return identifierOf(providerCode) ?? identifierOf(code) ?? identifierOf(name) ?? OTHER
}

/** The text where it looks like a name or an id; anything else that a model or a provider wrote may be content. */
export function identifierOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.:/-]{1,128}$/.test(text) ? text : undefined
}

export const OTHER = '_OTHER'
