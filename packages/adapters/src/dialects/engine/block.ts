/** The interface between the engine and a block's reader. */

import type { DialectPolicy } from '../define/dialect.ts'
import type { CallWriter, StartedCall } from './call-writer.ts'
import { hasWords, type Reading, type TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

/**
 * How a block ended. `read`: its content was reported and is removed from the text. `malformed`: a malformed call, starting at the last
 * `input.mark()`. `cut`: an incomplete call, because the text ended. `text`: not a call, so it stays text.
 */
export type BlockOutcome = 'read' | 'malformed' | 'cut' | 'text'

export interface BlockContext {
  /** Positioned after the block's open marker. The mark is at the start of the block. */
  readonly input: TextInput
  readonly calls: CallWriter
  readonly tools: ToolTable
  readonly policy: DialectPolicy
  /** The open marker as the model wrote it. */
  readonly opener: string
  /** True if non-blank text was emitted before this block. */
  readonly hasText: boolean
  /** True if non-blank reasoning was emitted before this block. */
  readonly hasReasoning: boolean
  /** True if the open marker is in a code span, between quotation marks, or on a quoted line. */
  isQuoted(): boolean
  /**
   * Emits text inside the block that isn't part of a call. Call `input.mark()` after it, so that a later failure doesn't emit the same text
   * again.
   */
  giveText(text: string): void
  /** Emits reasoning inside the block, in the same way as `giveText`. */
  giveReasoning(text: string): void
}

/** Reads one block. Never throws on model output, and reads each character of the text once. */
export type BlockReader = (context: BlockContext) => Reading<BlockOutcome>

/**
 * Reports the text since the mark as a malformed call. The text is also emitted, unless the policy drops malformed blocks. If no call is
 * open, text without letters and digits, such as a stray bracket, is ignored.
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
 * Writes a call that has a name but no arguments. If the text ends after the name and more may have followed, the call is `truncated`, or
 * `cut` if no tool has this name.
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
