/** Converts content between parts and text. */
import type { ContentPart, MediaSource } from '@x/tool-core'

/** Content of a message, as parts and as plain text. Models and APIs that accept only text get the plain text. */
interface Content {
  readonly content: string
  readonly parts?: readonly ContentPart[] | undefined
}

/** Returns both content fields of a message. In the text, a placeholder such as `[image/png]` replaces each image or file. */
export function toContent(parts: readonly ContentPart[]): { readonly content: string; readonly parts: readonly ContentPart[] } {
  return { content: parts.map(textOf).join('\n'), parts }
}

/** Returns the parts to send. If the message has no parts, its text becomes a single part; an empty text becomes none. */
export function partsOf({ content, parts }: Content): readonly ContentPart[] {
  return parts ?? (content === '' ? [] : [{ type: 'text', text: content }])
}

function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text
  return `[${part.type === 'file' && part.name !== undefined ? `${part.name}, ${part.mediaType}` : part.mediaType}]`
}

/** Returns the URL, or a `data:` URL that contains the data. */
export function toUrl(source: MediaSource, mediaType: string): string {
  return 'url' in source ? source.url : `data:${mediaType};base64,${source.base64}`
}
