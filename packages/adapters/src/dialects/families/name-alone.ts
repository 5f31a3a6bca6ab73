/** Writes a call that is a name and nothing more. Where the text ends behind it, more of the name, or arguments, may have been to come. */
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import type { StartedCall } from '../engine/call-writer.ts'

/** At the end of the text the call is `truncated` if more may have been to come, and none if no tool has its name so far. */
export function writeNameAlone({ input, calls, tools, policy }: BlockContext, call: StartedCall): BlockOutcome {
  if (input.isAtEnd && policy.unfinished === 'never') return 'cut'
  const isTruncated = input.isAtEnd && tools.mayGoOn(call.name)
  if (isTruncated && !tools.has(call.name)) return 'cut'
  calls.start(call)
  calls.write('{}')
  calls.end(isTruncated)
  return 'read'
}
