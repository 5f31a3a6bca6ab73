/** Whatever was thrown, as the one error of a call. */
import { isToolError, ToolError } from './errors.ts'
import { toModelText } from './model-text.ts'
import type { Tool } from './tool.ts'

/** The error itself when it is a `ToolError`; anything else becomes `execution_failed`, in words fit for a model. Never throws. */
export function toFailure({ name }: Tool, thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown
  return new ToolError('execution_failed', `"${name}" failed: ${toModelText(thrown)}`, {
    cause: thrown,
    retryable: isRetryable(thrown),
  })
}

/** Asks in a try: a thrown proxy or getter may throw itself. */
export function isRetryable(thrown: unknown): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as { retryable?: unknown }).retryable === true
  } catch {
    return false
  }
}
