/** Content parts: the text, images and files that a tool returns to the model, and that messages contain. Types only. */

export type ContentPart = TextPart | ImagePart | FilePart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}
export interface ImagePart {
  readonly type: 'image'
  /** A media type such as `image/png`. */
  readonly mediaType: string
  readonly source: MediaSource
}
/** A document, an audio recording or a video. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string | undefined
}

/** Base64 data, or a URL that the provider fetches. */
export type MediaSource = { readonly base64: string } | { readonly url: string }

/** What `toModelOutput` returns: text, content parts, or `undefined` for the output itself. */
export type ModelOutput = string | ContentPart | readonly ContentPart[] | undefined
