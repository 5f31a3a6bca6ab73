/** The content parts of an assistant message that Mistral must receive back, joined from the pieces of a stream. */
import type { AssistantMessage, Metadata } from '../../protocol/protocol.ts'
import { readReasoning, readText } from '../openai-chat/read.ts'
import { arrayAt, fieldAt, isObject, isWritable, objectAt, stringAt } from '../read-json.ts'
import type { MistralBlock } from './body.ts'

/** Adds the parts to the metadata, unless all of them are text. */
export function withBlocks(metadata: Metadata | undefined, parts: readonly unknown[]): Metadata | undefined {
  const content = parts.filter(isBlock)
  if (content.every(({ type }) => type === 'text')) return metadata
  return { mistral: { ...objectAt(metadata, 'mistral'), content } }
}

/**
 * Returns the original parts if their text is unchanged. Otherwise, returns the original thinking and the current text of the message.
 */
export function toWireContent({ content, metadata }: AssistantMessage): string | MistralBlock[] {
  const blocks = arrayAt(fieldAt(metadata, 'mistral'), 'content').filter(isBlock)
  if (blocks.length === 0) return content
  if (readText(blocks) === content) return blocks
  const thinking = blocks.filter(({ type }) => type === 'thinking')
  return [...thinking, ...(content === '' ? [] : [{ type: 'text', text: content }])]
}

/** Collects the content parts of a stream. Pieces of one part arrive as separate parts, and text may also arrive as a plain string. */
export class ContentBlocks {
  readonly #blocks: { readonly block: MistralBlock; readonly pieces: string[] }[] = []

  push(content: unknown): void {
    const parts = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : content
    if (Array.isArray(parts)) for (const block of parts.filter(isBlock)) this.#append(block)
  }

  blocks(): readonly MistralBlock[] {
    return this.#blocks.map(({ block, pieces }) => (pieces.length > 1 ? withText(block, pieces.join('')) : block))
  }

  #append(block: MistralBlock): void {
    const last = this.#blocks.at(-1)
    const piece = (block.type === 'text' ? readText([block]) : readReasoning({ content: [block] })) ?? ''
    const isContinuation = last?.block.type === block.type && (block.type === 'text' || block.type === 'thinking')
    if (isContinuation) last.pieces.push(piece)
    else this.#blocks.push({ block, pieces: [piece] })
  }
}

function isBlock(part: unknown): part is MistralBlock {
  return isObject(part) && stringAt(part, 'type') !== undefined && isWritable(part)
}

function withText(block: MistralBlock, text: string): MistralBlock {
  return { ...block, ...(block.type === 'text' ? { text } : { thinking: [{ type: 'text', text }] }) }
}
