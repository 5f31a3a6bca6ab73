/** Converts files and tool results in an AI SDK prompt to message parts. */
import type { LanguageModelV3FilePart, LanguageModelV3ToolResultOutput, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import type { ContentPart, FilePart, ImagePart, ToolMessage } from '@x/adapters'
import { nameOf } from '../from/prompt-parts.ts'
import { toBase64 } from '../from/reply-part.ts'
import { optional, toJson } from '../read.ts'

export type Warn = (feature: string, details: string) => void

export function toFilePart({ data, mediaType, filename, originalUrl }: LanguageModelV3FilePart): ImagePart | FilePart {
  if (data instanceof URL) return toMediaPart(mediaType, { url: originalUrl ?? data.href }, filename)
  return toMediaPart(mediaType, { base64: typeof data === 'string' ? data : toBase64(data) }, filename)
}

export function toToolMessage({ toolCallId, toolName, output }: LanguageModelV3ToolResultPart, warn: Warn): ToolMessage {
  const isError = output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
  return { role: 'tool', callId: toolCallId, name: toolName, ...contentOf(output, warn), ...(isError && { isError }) }
}

/** Returns the content of a message as text. Also returns its parts if they are more than a single text. */
export function toFields(parts: readonly ContentPart[]): { readonly content: string; readonly parts?: readonly ContentPart[] } {
  const content = parts.map((part) => (part.type === 'text' ? part.text : nameOf(part))).join('\n')
  return parts.length <= 1 && parts.every(({ type }) => type === 'text') ? { content } : { content, parts }
}

function contentOf(output: LanguageModelV3ToolResultOutput, warn: Warn): ReturnType<typeof toFields> {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { content: output.value }
    case 'json':
    case 'error-json':
      return { content: toJson(output.value) }
    case 'execution-denied':
      return { content: output.reason ?? 'The user did not allow this call.' }
    case 'content':
      return toFields(output.value.map((part) => toResultPart(part, warn)))
  }
}

type ResultPart = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

function toResultPart(part: ResultPart, warn: Warn): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image-data':
    case 'file-data':
      return toMediaPart(part.mediaType, { base64: part.data }, part.type === 'file-data' ? part.filename : undefined)
    case 'image-url':
      return toMediaPart('image/*', { url: part.url })
    case 'file-url':
      return toMediaPart(part.mediaType ?? 'application/octet-stream', { url: part.url })
    default:
      warn(
        `tool result part ${part.type}`,
        'Only the provider that created this part can read it. The type of the part is sent instead.',
      )
      return { type: 'text', text: `[${part.type}]` }
  }
}

function toMediaPart(mediaType: string, source: ImagePart['source'], name?: string): ImagePart | FilePart {
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, source }
  return { type: 'file', mediaType, source, ...optional({ name }) }
}
