/** The class of an error as `error.type` has it: a code or a name, never its words, which may hold content. */

/**
 * The HTTP status of a request that a host refused; else the `code` of the error, else its `name`; `_OTHER` for what has neither, or
 * has one that does not look like a name.
 */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return OTHER
  const { status, code, name } = error as { status?: unknown; code?: unknown; name?: unknown }
  if (typeof status === 'number' && Number.isInteger(status)) return String(status)
  return identifierOf(code) ?? identifierOf(name) ?? OTHER
}

/** The text where it looks like a name or an id; anything else that a model or a provider wrote may be content. */
export function identifierOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.:/-]{1,128}$/.test(text) ? text : undefined
}

export const OTHER = '_OTHER'
