/** Protects the program from errors in tracers, meters and redaction. Such errors go to OpenTelemetry's own log. */
import { diag } from '@opentelemetry/api'

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
    // An error in the log itself can't be reported anywhere.
  }
}

/**
 * Returns the type of an error: the HTTP status of a refused request, or else the provider's code, the error's `code`, or its `name`.
 * Returns `_OTHER` if none of these looks like an identifier.
 */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return OTHER
  const { status, providerCode, code, name } = error as Readonly<Record<string, unknown>>
  if (typeof status === 'number' && Number.isInteger(status)) return String(status)
  return identifierOf(providerCode) ?? identifierOf(code) ?? identifierOf(name) ?? OTHER
}

/**
 * Returns a text that looks like a name or an id. Undefined for any other text, because a model or a provider may have put content into it.
 */
export function identifierOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.:/-]{1,128}$/.test(text) ? text : undefined
}

export const OTHER = '_OTHER'
