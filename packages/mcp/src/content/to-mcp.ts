/** Converts a tool's model output to MCP content blocks. */
import type { ContentBlock } from '@modelcontextprotocol/server'
import { type ContentPart, isContent } from '@x/tool-core'

/** Converts content parts to blocks. Text stays text, and any other value becomes JSON text. */
export function toBlocks(value: unknown): ContentBlock[] {
  if (isContent(value)) return [value].flat().map(toBlock)
  return [{ type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null') }]
}

function toBlock(part: ContentPart, index: number): ContentBlock {
  if (part.type === 'text') return part
  const { mediaType: mimeType, source } = part
  const name = (part.type === 'file' ? part.name : undefined) ?? `${part.type} ${index + 1}`
  if ('url' in source) return { type: 'resource_link', uri: source.url, name, mimeType }
  if (part.type === 'image') return { type: 'image', data: source.base64, mimeType }
  if (/^audio\//i.test(mimeType)) return { type: 'audio', data: source.base64, mimeType }
  const text = TEXT_TYPE.test(mimeType) ? decode(source.base64) : undefined
  const content = text === undefined ? { blob: source.base64 } : { text }
  // The protocol requires a URI for a resource. No client can read this one.
  return { type: 'resource', resource: { uri: `attachment:///${index + 1}/${encodeURIComponent(name)}`, mimeType, ...content } }
}

const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)(?:;|$))/i

/** Decodes base64 as UTF-8 text. Returns undefined if it isn't UTF-8. */
function decode(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}
