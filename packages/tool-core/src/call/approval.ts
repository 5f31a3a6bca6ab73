/** Requests approval for a call to a tool with `needsApproval`. */

import { ownCopy } from '../args/own-copy.ts'
import { ToolError } from '../errors.ts'
import { MAX_ARGS_LENGTH } from '../faults.ts'
import { boundOutput } from '../output/output.ts'
import { approvalRefused, REFUSALS } from '../prompts.ts'
import type { Invocation } from './attempt.ts'
import { withDeadline } from './deadline.ts'

/**
 * Calls the caller's `approve` with the args to show, and returns a copy of the args to execute. The copy protects the approved args from a
 * hook that kept a reference to the original. Rejects with `approval_required` unless `approve` returns true, and with `aborted` if the
 * caller aborts first. There is no deadline, because a person may have to decide.
 */
export async function assertApproved({ tool, options }: Invocation, args: object, toShow: object): Promise<object> {
  const { approve, callId = '', signal } = options
  if (approve === undefined) throw refused(tool.name, REFUSALS.unavailable)
  // Copied before `approve` is called, so that exactly the approved args are executed. A getter is also read only once.
  const own = ownCopy(args)
  const { value, tags } = boundOutput(ownCopy(toShow === args ? own : toShow), MAX_ARGS_LENGTH)
  if (tags.some(({ tag }) => tag === 'truncated')) throw refused(tool.name, REFUSALS.tooLong)
  const shown = value as Readonly<Record<string, unknown>>
  const ask = () => approve({ callId, name: tool.name, args: shown, signal })
  const subject = `the approval of "${tool.name}"`
  let answer: unknown
  try {
    answer = await withDeadline(ask, { subject, timeoutMs: Infinity, signal })
  } catch (cause) {
    throw signal?.aborted ? cause : refused(tool.name, REFUSALS.failed, cause)
  }
  if (answer !== true) throw refused(tool.name, REFUSALS.denied)
  return own
}

function refused(name: string, reason: string, cause?: unknown): ToolError {
  return new ToolError('approval_required', approvalRefused(name, reason), { cause })
}
