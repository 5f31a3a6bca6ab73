/** Metadata that Cohere must receive back with the assistant message: the plan for the calls, and the thinking. */
import type { AssistantMessage, Metadata } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, stringAt } from '../read-json.ts'
import type { CohereBlock } from './body.ts'

/**
 * Returns the metadata of a reply. Undefined if the reply contains only text and calls. Citations are stored for display but not sent
 * back.
 */
export function toMetadata(blocks: readonly CohereBlock[], plan: string, citations: readonly unknown[]): Metadata | undefined {
  const kept = {
    ...(blocks.some(({ type }) => type === 'thinking') && { content: blocks }),
    ...(plan !== '' && { tool_plan: plan }),
    ...(citations.length > 0 && { citations }),
  }
  return Object.keys(kept).length > 0 ? { 'cohere-v2': kept } : undefined
}

/**
 * Returns the original parts if their text is unchanged. Otherwise, returns the original thinking and the current text of the message.
 */
export function toWireContent({ content, metadata }: AssistantMessage): string | CohereBlock[] {
  const blocks = readBlocks(arrayAt(fieldAt(metadata, 'cohere-v2'), 'content'))
  if (blocks.length === 0) return content
  if (textOf(blocks) === content) return blocks
  const thinking = blocks.filter(({ type }) => type === 'thinking')
  return [...thinking, ...(content === '' ? [] : [{ type: 'text' as const, text: content }])]
}

export function toWirePlan({ metadata }: AssistantMessage): string | undefined {
  return stringAt(fieldAt(metadata, 'cohere-v2'), 'tool_plan')
}

/** Reads a string or a list of parts. Omits parts other than text and thinking. */
export function readBlocks(content: unknown): CohereBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.flatMap(readBlock) : []
}

export function textOf(blocks: readonly CohereBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

export function thinkingOf(blocks: readonly CohereBlock[]): string {
  return blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

function readBlock(part: unknown): CohereBlock[] {
  const text = stringAt(part, 'text')
  const thinking = stringAt(part, 'thinking')
  if (thinking !== undefined) return [{ type: 'thinking', thinking }]
  return text === undefined ? [] : [{ type: 'text', text }]
}
