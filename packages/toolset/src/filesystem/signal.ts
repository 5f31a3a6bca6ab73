/** Stops a loop whose caller has given up. */
import { isToolError, ToolError } from '@x/tool-core'

/** Throws what the caller gave as the reason, or `aborted`. */
export function assertGoing(signal: AbortSignal): void {
  if (!signal.aborted) return
  if (isToolError(signal.reason)) throw signal.reason
  throw new ToolError('aborted', 'The call was aborted by the caller.', { cause: signal.reason })
}
