/** Part of a block that can't be read, where the rest of the block is read all the same. */
import type { BlockContext } from '../engine/block.ts'
import { hasWords } from '../engine/text-input.ts'

/**
 * What was taken since the mark is reported as a call that can't be read. It is text unless the policy drops such blocks. A bracket or
 * a comma too many was no call.
 */
export function leaveUnread({ input, calls, policy, giveText }: BlockContext): void {
  const text = input.sinceMark()
  input.mark()
  if (!calls.isOpen && !hasWords(text)) return
  if (calls.isOpen) calls.takeBack(text)
  else calls.unread(text)
  if (policy.unreadBlock !== 'drop') giveText(text)
}
