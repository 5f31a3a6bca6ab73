/** Stops a loop after an abort. */
import { isToolError, ToolError } from '@x/tool-core'

/** Throws the abort reason if it is a `ToolError`, or else `aborted`. */
export function assertGoing(signal: AbortSignal): void {
  if (!signal.aborted) return
  if (isToolError(signal.reason)) throw signal.reason
  throw new ToolError('aborted', 'The call was aborted by the caller.', { cause: signal.reason })
}
