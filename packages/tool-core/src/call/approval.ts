/** A tool that needs approval runs only after the caller's yes. */

import { MAX_ARGS_LENGTH } from '../args/faults.ts'
import { ToolError } from '../errors.ts'
import { boundOutput } from '../output/output.ts'
import type { Run } from './attempt.ts'
import { withDeadline } from './deadline.ts'
import { ownCopy } from './own-copy.ts'

/**
 * Returns the args to execute once the caller's `approve` says yes to what is shown: a copy, since a hook may keep what it returned. Rejects with `approval_required` otherwise, and with `aborted` when the caller gives up meanwhile. There is no
 * deadline: who decides may be a person.
 */
export async function assertApproved({ tool, options }: Run, args: object, toShow: object): Promise<object> {
  const { approve, callId = '', signal } = options
  if (approve === undefined) throw refused(tool.name, 'nobody could be asked')
  // Copies, so that what was approved is what is executed. A getter is read once, and not again for what is shown.
  const own = ownCopy(args)
  const { value, tags } = boundOutput(ownCopy(toShow === args ? own : toShow), MAX_ARGS_LENGTH)
  if (tags.some(({ tag }) => tag === 'truncated')) throw refused(tool.name, 'its arguments are too long to be shown')
  const shown = value as Readonly<Record<string, unknown>>
  const ask = () => approve({ callId, name: tool.name, args: shown })
  const subject = `the approval of "${tool.name}"`
  let answer: unknown
  try {
    answer = await withDeadline(ask, { subject, timeoutMs: Infinity, signal })
  } catch (cause) {
    throw signal?.aborted ? cause : refused(tool.name, 'asking for it failed', cause)
  }
  if (answer !== true) throw refused(tool.name, 'it was refused')
  return own
}

function refused(name: string, reason: string, cause?: unknown): ToolError {
  return new ToolError('approval_required', `"${name}" runs only with an approval, and ${reason}. It was not run.`, { cause })
}
