/**
 * Keeps errors in tracers, meters and `redact` from reaching the program. They are logged with OpenTelemetry's `diag` logger
 * instead.
 */
import { diag } from '@opentelemetry/api'
import { redactSecrets } from '@x/adapters/redact'

/** Returns the result of `action`, or undefined if `action` throws. Logs the error without its message, which may contain content. */
export function guarded<T>(what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    log(`@x/otel: ${what} failed (${errorTypeOf(error)}).`)
    return undefined
  }
}

function log(words: string): void {
  try {
    diag.error(words)
  } catch {
    // There is nowhere left to report an error of the logger itself.
  }
}

/**
 * Returns the type of an error for an attribute. This is the HTTP status of a refused request; otherwise the provider's code, the
 * error's `code`, or its `name`. Returns `_OTHER` if none of them looks like an identifier.
 */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return OTHER
  const { status, providerCode, code, name } = error as Readonly<Record<string, unknown>>
  if (typeof status === 'number' && Number.isInteger(status)) return String(status)
  return identifierOf(providerCode) ?? identifierOf(code) ?? identifierOf(name) ?? OTHER
}

/**
 * Returns the text if it looks like a name or an id. Returns undefined for anything else, because text from a model or a provider
 * may contain content, and for a likely secret, such as a key that a provider sends as the id of a call.
 */
export function identifierOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.:/-]{1,128}$/.test(text) && redactSecrets(text) === text ? text : undefined
}

export const OTHER = '_OTHER'
