/** Messages and tool results that hold more than text: images and files among the words. */

export type ContentPart = TextPart | ImagePart | FilePart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}
export interface ImagePart {
  readonly type: 'image'
  /** `image/png`. */
  readonly mediaType: string
  readonly source: MediaSource
}
/** A document, a sound, a film. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string | undefined
}

/** The bytes in base64, or an address from which the provider fetches them. */
export type MediaSource = { readonly base64: string } | { readonly url: string }

/** What a message holds: as parts, and as the text for those who read only text. */
interface Content {
  readonly content: string
  readonly parts?: readonly ContentPart[] | undefined
}

/** Both fields of a message from its parts; in the text an image or a file is named in its place: `[image/png]`. */
export function toContent(parts: readonly ContentPart[]): Required<Content> {
  return { content: parts.map(textOf).join('\n'), parts }
}

/** What is to be sent; nothing for an empty text. */
export function partsOf({ content, parts }: Content): readonly ContentPart[] {
  return parts ?? (content === '' ? [] : [{ type: 'text', text: content }])
}

function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text
  return `[${part.type === 'file' && part.name !== undefined ? `${part.name}, ${part.mediaType}` : part.mediaType}]`
}

/** The address, or the bytes as a `data:` address. */
export function toUrl(source: MediaSource, mediaType: string): string {
  return 'url' in source ? source.url : `data:${mediaType};base64,${source.base64}`
}
