/** Content of messages and tool results besides text: images and files. */

export type ContentPart = TextPart | ImagePart | FilePart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}
export interface ImagePart {
  readonly type: 'image'
  /** For example `image/png`. */
  readonly mediaType: string
  readonly source: MediaSource
}
/** A document, audio or video. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string | undefined
}

/** Base64 data, or a URL that the provider fetches. */
export type MediaSource = { readonly base64: string } | { readonly url: string }

/** A message's content: as parts, and as plain text for models and APIs that only accept text. */
interface Content {
  readonly content: string
  readonly parts?: readonly ContentPart[] | undefined
}

/** Returns both content fields of a message for its parts. In the text, a placeholder such as `[image/png]` replaces each image or file. */
export function toContent(parts: readonly ContentPart[]): Required<Content> {
  return { content: parts.map(textOf).join('\n'), parts }
}

/** The parts to send; an empty array for empty text. */
export function partsOf({ content, parts }: Content): readonly ContentPart[] {
  return parts ?? (content === '' ? [] : [{ type: 'text', text: content }])
}

function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text
  return `[${part.type === 'file' && part.name !== undefined ? `${part.name}, ${part.mediaType}` : part.mediaType}]`
}

/** The URL, or the data as a `data:` URL. */
export function toUrl(source: MediaSource, mediaType: string): string {
  return 'url' in source ? source.url : `data:${mediaType};base64,${source.base64}`
}
