/** What the engine and the reader of a block say to each other. */

import type { DialectPolicy } from '../dialect.ts'
import type { CallWriter, StartedCall } from './call-writer.ts'
import { hasWords, type Reading, type TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

/**
 * How a block ended. `read`: what was in it has been told, and it stands no longer in the text. `unread`: it was meant as calls and
 * cannot be read, from the last `input.mark()` on. `cut`: the same, since the text ended in it. `text`: it is none, and belongs to
 * the text.
 */
export type BlockOutcome = 'read' | 'unread' | 'cut' | 'text'

export interface BlockContext {
  /** Behind the open marker of the block; marked at its beginning. */
  readonly input: TextInput
  readonly calls: CallWriter
  readonly tools: ToolTable
  readonly policy: DialectPolicy
  /** The open marker as it was written. */
  readonly opener: string
  /** Something other than white space was given away as text, or as reasoning. */
  readonly hasText: boolean
  readonly hasReasoning: boolean
  /** The open marker stands in a code span or between quotation marks, or on a line that is quoted. */
  isQuoted(): boolean
  /** Gives away what stands in the block and is the model's answer. What was given is no longer the block's: see `input.mark`. */
  giveText(text: string): void
  /** The same for what it thinks. */
  giveReasoning(text: string): void
}

/** Reads one block. It never throws for what a model wrote, and takes each unit of the text once. */
export type BlockReader = (context: BlockContext) => Reading<BlockOutcome>

/**
 * Reports what was taken since the mark as a call that can't be read. It is text unless the policy drops such blocks. A bracket or a
 * comma too many is ignored.
 */
export function leaveMalformed({ input, calls, policy, giveText }: BlockContext): void {
  const text = input.sinceMark()
  input.mark()
  if (!calls.isOpen && !hasWords(text)) return
  if (calls.isOpen) calls.takeBack(text)
  else calls.unread(text)
  if (policy.malformedBlock !== 'drop') giveText(text)
}

/** Writes a call that is a name and nothing more. At the end of the text the call is `truncated` if more may have been to come, and none if no tool has its name so far. */
export function writeNameAlone({ input, calls, tools, policy }: BlockContext, call: StartedCall): BlockOutcome {
  if (input.isAtEnd && policy.unfinished === 'never') return 'cut'
  const isTruncated = input.isAtEnd && tools.mayGoOn(call.name)
  if (isTruncated && !tools.has(call.name)) return 'cut'
  calls.start(call)
  calls.write('{}')
  calls.end(isTruncated)
  return 'read'
}
