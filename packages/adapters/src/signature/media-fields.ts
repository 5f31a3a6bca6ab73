/** Input fields of a signature for images and files. */
import {
  type ContentPart,
  type FilePart,
  type ImagePart,
  isToolError,
  MAX_MEDIA_BYTES,
  mediaSize,
  readContent,
} from '@x/tool-core'
import type { TUnsafe } from 'typebox'
import { isRecord } from '../is-record.ts'

export interface MediaFieldOptions {
  /** Accepted media types, such as `image/png` or `audio/*`. Default: any. */
  readonly mediaTypes?: readonly string[] | undefined
  /** Maximum size of an image or file in bytes. Not checked for URLs. Default: 10,485,760 (10 MiB). */
  readonly maxBytes?: number | undefined
  /** Description of the field. The model reads it. */
  readonly description?: string | undefined
}

/**
 * Declares an input field for an image. Create its value with `image()`. Use `Type.Array(Image())` for several images, and
 * `Type.Optional(Image())` for one that may be omitted. Throws a TypeError for invalid options.
 */
export function Image(options: MediaFieldOptions = {}): TUnsafe<ImagePart> {
  return mediaField('image', options) as unknown as TUnsafe<ImagePart>
}

/** Declares an input field for a document, audio or video. Create its value with `file()`. Otherwise like `Image`. */
export function File(options: MediaFieldOptions = {}): TUnsafe<FilePart> {
  return mediaField('file', options) as unknown as TUnsafe<FilePart>
}

interface MediaField {
  readonly 'x-field': 'image' | 'file'
  readonly 'x-media-types'?: readonly string[]
  readonly 'x-max-bytes': number
  readonly description?: string
}

function mediaField(type: MediaField['x-field'], options: MediaFieldOptions): MediaField {
  const owner = type === 'image' ? 'Image' : 'File'
  if (!isRecord(options)) throw new TypeError(`${owner}: the options must be an object. Write ${owner}({ mediaTypes: [...] }).`)
  const { mediaTypes, maxBytes = MAX_MEDIA_BYTES, description } = options as MediaFieldOptions
  if (mediaTypes !== undefined && !(Array.isArray(mediaTypes) && mediaTypes.length > 0 && mediaTypes.every(isMediaType)))
    throw new TypeError(`${owner}: mediaTypes must be a list of media types, such as "image/png" or "audio/*".`)
  const other = mediaTypes?.find((mediaType) => /^image\//i.test(mediaType) !== (type === 'image'))
  if (other !== undefined)
    throw new TypeError(
      `${owner}: "${other}" is not a media type for ${type === 'image' ? 'an image' : 'a file'}. Use Image() for images and File() for everything else.`,
    )
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) throw new TypeError(`${owner}: maxBytes must be a whole number above 0.`)
  return {
    'x-field': type,
    ...(mediaTypes && { 'x-media-types': [...mediaTypes] }),
    'x-max-bytes': maxBytes,
    ...(description !== undefined && { description }),
  }
}

function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9][\w!#$&^.+-]*\/(?:\*|[a-z0-9][\w!#$&^.+-]*)$/i.test(value)
}

/**
 * Returns the schema of an image or file: the field's own schema, or that of its items if it is a list. Returns undefined for
 * other fields.
 */
function mediaFieldIn(schema: unknown): MediaField | undefined {
  const { type, items } = isRecord(schema) ? schema : ({} as Record<string, unknown>)
  const field = type === 'array' ? items : schema
  return isRecord(field) && (field['x-field'] === 'image' || field['x-field'] === 'file')
    ? (field as unknown as MediaField)
    : undefined
}

export function isMediaField(schema: unknown): boolean {
  return mediaFieldIn(schema) !== undefined
}

/** Returns what a field contains: `image`, `images`, `file` or `files`. Returns undefined for other fields. */
export function mediaWord(schema: unknown): string | undefined {
  const field = mediaFieldIn(schema)
  return field && `${field['x-field']}${field === schema ? '' : 's'}`
}

/** Returns why a field doesn't accept a value, to complete a sentence about the field. Returns undefined if it does. */
export function mediaFieldFault(schema: unknown, value: unknown): string | undefined {
  const field = mediaFieldIn(schema)
  if (field === undefined) return undefined
  if (field === schema) return Array.isArray(value) ? wrongKind(field) : partFault(field, value)
  if (!Array.isArray(value)) return 'must be a list'
  for (const [index, item] of value.entries()) {
    const fault = partFault(field, item)
    if (fault !== undefined) return `[${index}] ${fault}`
  }
  return undefined
}

function partFault(field: MediaField, value: unknown): string | undefined {
  let part: ContentPart | undefined
  try {
    part = readContent(value)?.[0]
  } catch (thrown) {
    return `can't be sent: ${isToolError(thrown) ? thrown.message : thrown}`
  }
  if (part === undefined || part.type !== field['x-field']) return wrongKind(field)
  const { 'x-media-types': mediaTypes, 'x-max-bytes': maxBytes } = field
  const { mediaType } = part
  if (mediaTypes !== undefined && !mediaTypes.some((accepted) => matches(mediaType, accepted)))
    return `must have one of the media types ${mediaTypes.join(', ')}, but has ${mediaType}`
  const size = 'url' in part.source ? 0 : mediaSize(part)
  return size > maxBytes ? `must have at most ${maxBytes} bytes, but has ${size}` : undefined
}

function wrongKind({ 'x-field': type }: MediaField): string {
  return `must be ${type === 'image' ? 'an image' : 'a file'}. Write ${type}({ mediaType, data })`
}

function matches(mediaType: string, accepted: string): boolean {
  const [own, other] = [mediaType.toLowerCase(), accepted.toLowerCase()]
  return other.endsWith('/*') ? own.startsWith(other.slice(0, -1)) : own === other
}
