/** The interface between the engine and a block's reader. */

import type { DialectPolicy } from '../define/dialect.ts'
import type { CallWriter, StartedCall } from './call-writer.ts'
import { hasWords, type Reading, type TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

/**
 * How a block ended. `read`: its content was reported and is removed from the text. `malformed`: a malformed call, starting at the last
 * `input.mark()`. `cut`: a malformed call because the text ended. `text`: not a call; it belongs to the text.
 */
export type BlockOutcome = 'read' | 'malformed' | 'cut' | 'text'

export interface BlockContext {
  /** Positioned after the block's open marker; marked at the start of the block. */
  readonly input: TextInput
  readonly calls: CallWriter
  readonly tools: ToolTable
  readonly policy: DialectPolicy
  /** The open marker as the model wrote it. */
  readonly opener: string
  /** True if non-blank text or reasoning was emitted before. */
  readonly hasText: boolean
  readonly hasReasoning: boolean
  /** True if the open marker is in a code span, between quotation marks, or on a quoted line. */
  isQuoted(): boolean
  /** Emits answer text inside the block. Emitted text no longer belongs to the block: see `input.mark`. */
  giveText(text: string): void
  /** Emits reasoning inside the block, in the same way. */
  giveReasoning(text: string): void
}

/** Reads one block. Never throws on model output, and reads each character of the text once. */
export type BlockReader = (context: BlockContext) => Reading<BlockOutcome>

/**
 * Reports the text since the mark as a malformed call. That text is kept unless the policy drops malformed blocks. A stray bracket or comma
 * is ignored.
 */
export function leaveMalformed({ input, calls, policy, giveText }: BlockContext): void {
  const text = input.sinceMark()
  input.mark()
  if (!calls.isOpen && !hasWords(text)) return
  if (calls.isOpen) calls.takeBack(text)
  else calls.reportMalformed(text)
  if (policy.malformedBlock !== 'drop') giveText(text)
}

/**
 * Writes a call that consists of a name only. At the end of the text, the call is `truncated` if more could have followed, and
 * dropped if the name isn't that of a tool yet.
 */
export function writeNameAlone({ input, calls, tools, policy }: BlockContext, call: StartedCall): BlockOutcome {
  if (input.isAtEnd && policy.unfinished === 'never') return 'cut'
  const isTruncated = input.isAtEnd && tools.mayGoOn(call.name)
  if (isTruncated && !tools.has(call.name)) return 'cut'
  calls.start(call)
  calls.write('{}')
  calls.end(isTruncated)
  return 'read'
}
