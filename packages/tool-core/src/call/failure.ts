/** Converts a thrown value to a call error. */

import type { Tool } from '../define/tool.ts'
import { isToolError, ToolError } from '../errors.ts'
import { toolFailed } from '../prompts.ts'
import { toBoundedText, toModelText } from './model-text.ts'

/**
 * Returns a `ToolError` unchanged, or a copy if its message has to be truncated to 4,000 characters. Any other value becomes an
 * `execution_failed` error with a message for a model. Never throws.
 */
export function toFailure({ name }: Pick<Tool, 'name'>, thrown: unknown): ToolError {
  const own = isToolError(thrown) ? bounded(thrown) : undefined
  if (own !== undefined) return own
  return new ToolError('execution_failed', toolFailed(name, toModelText(thrown)), {
    cause: thrown,
    retryable: isRetryable(thrown),
  })
}

/**
 * Returns the error with its message truncated. Undefined for an object that imitates a `ToolError` and throws when its properties are
 * read.
 */
function bounded(error: ToolError): ToolError | undefined {
  try {
    const { code, message, issues, retryable, reason } = error
    const words = toBoundedText(message)
    return words === message ? error : new ToolError(code, words, { issues, retryable, reason, cause: error })
  } catch {
    return undefined
  }
}

/** True for an object with `retryable: true`. Never throws, even for a proxy or an object with getters that throw. */
export function isRetryable(thrown: unknown): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as { retryable?: unknown }).retryable === true
  } catch {
    return false
  }
}
