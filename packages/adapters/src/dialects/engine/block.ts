/** The interface between the engine and block readers. */

import type { DialectPolicy } from '../define/dialect.ts'
import type { CallWriter, StartedCall } from './call-writer.ts'
import { hasWords, type Reading, type TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

/**
 * How reading a block ended. `read`: its content was reported and is removed from the text. `malformed`: it is a malformed call
 * that starts at the last `input.mark()`. `cut`: it is an incomplete call, because the text ended. `text`: it isn't a call and
 * stays text.
 */
export type BlockOutcome = 'read' | 'malformed' | 'cut' | 'text'

export interface BlockContext {
  /** The input, positioned after the block's open marker. Its mark is at the start of the block. */
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
  /** Returns true if the open marker is in a code span, between quotation marks, or on a quoted line. */
  isQuoted(): boolean
  /**
   * Emits text that is inside the block but isn't part of a call. Call `input.mark()` afterwards, so that the text isn't emitted
   * again if reading fails later.
   */
  giveText(text: string): void
  /** Emits reasoning that is inside the block, like `giveText`. */
  giveReasoning(text: string): void
}

/** Reads one block. Never throws, whatever the model wrote, and reads each character once. */
export type BlockReader = (context: BlockContext) => Reading<BlockOutcome>

/**
 * Reports the text since the mark as a malformed call. Also emits it as text, unless the policy drops malformed blocks. If no
 * call is open, ignores text without letters or digits, such as a stray bracket.
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
 * Writes a call that has a name but no arguments. If the text ends after the name and arguments might have followed, the call is
 * `truncated`. If no tool has this name, the outcome is `cut`.
 */
export function writeNameAlone({ input, calls, tools, policy }: BlockContext, call: StartedCall): BlockOutcome {
  if (input.isAtEnd && policy.unfinished === 'never') return 'cut'
  const isTruncated = input.isAtEnd && tools.mayContinue(call.name)
  if (isTruncated && !tools.has(call.name)) return 'cut'
  calls.start(call)
  calls.write('{}')
  calls.end(isTruncated)
  return 'read'
}
