/** The blocks of an assistant's turn: what the provider wants back as it sent it, with text and calls as the message has them now. */
import type { AssistantMessage, RawToolCall } from '../protocol/protocol.ts'
import { isBlank } from './user-turns.ts'

/** How one API writes text and calls. */
export interface BlockForms<Block> {
  /** Of a block that is text of the answer. */
  textOf(block: Block): string | undefined
  /** Of a block that is a call, as it is in the messages that are encoded. */
  callIdOf(block: Block): string | undefined
  toText(text: string): Block
  /** `index` counts the calls of the message, `kept` is the provider's own block of this call. */
  toCall(call: RawToolCall, index: number, kept?: Block): Block
}

/**
 * In the provider's order where the message still has its text and its calls. Otherwise the message wins: its text stands where
 * the first one stood, else before the calls; a call that is gone is left out, and a new one comes last. Blank text is left out.
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
