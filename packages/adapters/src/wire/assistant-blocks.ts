/** Builds the blocks of an assistant message from the provider's original blocks and the current text and calls of the message. */
import type { AssistantMessage, RawToolCall } from '../protocol/protocol.ts'
import { isBlank } from './user-turns.ts'

/** How one API represents text and calls as blocks. */
export interface BlockForms<Block> {
  /** Returns the answer text of a text block. Undefined for any other block. */
  textOf(block: Block): string | undefined
  /** Returns the id of a call block in the form that the encoded messages use. Undefined for any other block. */
  callIdOf(block: Block): string | undefined
  toText(text: string): Block
  /**
   * Encodes a call. `index` is the position of the call in the message. `kept` is the provider's original block for the call, if there is
   * one.
   */
  toCall(call: RawToolCall, index: number, kept?: Block): Block
}

/**
 * Keeps the provider's blocks in order. If the text of the message was edited, the new text is sent once, before the first text or call
 * block, and the original text blocks are omitted. Blocks of removed calls and blank text are omitted too. New calls are appended.
 */
export function assistantBlocks<Block>(message: AssistantMessage, kept: readonly Block[], forms: BlockForms<Block>): Block[] {
  const { content, toolCalls = [] } = message
  const blocks: Block[] = []
  const byId = new Map(toolCalls.map((call, index) => [call.id, { call, index }]))
  const placed = new Set<RawToolCall>()
  const isSameText = kept.map((block) => forms.textOf(block) ?? '').join('') === content
  let text = isSameText ? '' : content
  const placeText = () => {
    if (!isBlank(text)) blocks.push(forms.toText(text))
    text = ''
  }
  for (const block of kept) {
    const own = forms.textOf(block)
    const id = forms.callIdOf(block)
    if (own !== undefined || id !== undefined) placeText()
    if (own !== undefined) {
      if (isSameText && !isBlank(own)) blocks.push(block)
    } else if (id !== undefined) {
      const found = byId.get(id)
      if (found === undefined || placed.has(found.call)) continue
      placed.add(found.call)
      blocks.push(forms.toCall(found.call, found.index, block))
    } else blocks.push(block)
  }
  placeText()
  for (const [index, call] of toolCalls.entries()) if (!placed.has(call)) blocks.push(forms.toCall(call, index))
  return blocks
}
