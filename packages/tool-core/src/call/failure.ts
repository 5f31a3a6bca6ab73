/** Whatever was thrown, as the one error of a call. */

import type { Tool } from '../define/tool.ts'
import { isToolError, ToolError } from '../errors.ts'
import { toBoundedText, toModelText } from './model-text.ts'

/**
 * The error itself when it is a `ToolError`, its message cut off after 4,000 characters; anything else becomes
 * `execution_failed`, in words fit for a model. Never throws.
 */
export function toFailure({ name }: Pick<Tool, 'name'>, thrown: unknown): ToolError {
  const own = isToolError(thrown) ? bounded(thrown) : undefined
  if (own !== undefined) return own
  return new ToolError('execution_failed', `"${name}" failed: ${toModelText(thrown)}`, {
    cause: thrown,
    retryable: isRetryable(thrown),
  })
}

/** In a try too: the mark of a `ToolError` can be put on anything. */
function bounded(error: ToolError): ToolError | undefined {
  try {
    const { code, message, issues, retryable, reason } = error
    const words = toBoundedText(message)
    return words === message ? error : new ToolError(code, words, { issues, retryable, reason, cause: error })
  } catch {
    return undefined
  }
}

/** Asks in a try: a thrown proxy or getter may throw itself. */
export function isRetryable(thrown: unknown): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as { retryable?: unknown }).retryable === true
  } catch {
    return false
  }
}
