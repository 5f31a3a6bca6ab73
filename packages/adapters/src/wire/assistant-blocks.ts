/** The blocks of an assistant message: blocks that the provider needs back unchanged, with the message's current text and calls. */
import type { AssistantMessage, RawToolCall } from '../protocol/protocol.ts'
import { isBlank } from './user-turns.ts'

/** How one API writes text and calls. */
export interface BlockForms<Block> {
  /** The text of a block with answer text. Undefined for any other block. */
  textOf(block: Block): string | undefined
  /** The id of a call block, as in the encoded messages. */
  callIdOf(block: Block): string | undefined
  toText(text: string): Block
  /** `index` is the position of the call in the message; `kept` is the provider's own block for the call. */
  toCall(call: RawToolCall, index: number, kept?: Block): Block
}

/**
 * Keeps the provider's order if the message's text and calls are unchanged. Otherwise the message takes precedence: its text
 * replaces the first text block, or comes before the calls. Removed calls are left out, new ones are appended, and blank text is
 * left out.
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
