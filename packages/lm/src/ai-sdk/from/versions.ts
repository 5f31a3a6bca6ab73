/** Describes how requests differ between the versions of the AI SDK's language model interface. */
import type { MediaSource } from '@x/adapters'
import { type Json, optional } from '../read.ts'

export interface MediaPart {
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string | undefined
  readonly isImage: boolean
}

export interface Version {
  /** Converts the data or the URL of a file. */
  fileData(source: MediaSource): unknown
  /** Converts a file in a tool result. Returns undefined if the version has no field for it. */
  resultPart(part: MediaPart): Json | undefined
  /** True if this version can set strict mode for a tool. */
  readonly strictTools: boolean
  /** True if this version has a call option for reasoning. */
  readonly reasoning: boolean
}

const v3: Version = {
  fileData: (source) => ('url' in source ? new URL(source.url) : source.base64),
  resultPart({ mediaType, source, name, isImage }) {
    if (!('url' in source))
      return { type: isImage ? 'image-data' : 'file-data', data: source.base64, mediaType, ...nameOf(name, isImage) }
    return isImage ? { type: 'image-url', url: source.url } : { type: 'file-url', url: source.url, mediaType }
  },
  strictTools: true,
  reasoning: false,
}

const v2: Version = {
  fileData: v3.fileData,
  resultPart: ({ mediaType, source }) => ('url' in source ? undefined : { type: 'media', data: source.base64, mediaType }),
  strictTools: false,
  reasoning: false,
}

/** Version 4 isn't final yet. This follows its published types. */
const v4: Version = {
  fileData: (source) => ('url' in source ? { type: 'url', url: new URL(source.url) } : { type: 'data', data: source.base64 }),
  resultPart: ({ mediaType, source, name }) => ({ type: 'file', data: v4.fileData(source), mediaType, ...nameOf(name, false) }),
  strictTools: true,
  reasoning: true,
}

export const VERSIONS: ReadonlyMap<unknown, Version> = new Map<unknown, Version>([
  ['v2', v2],
  ['v3', v3],
  ['v4', v4],
])

function nameOf(name: string | undefined, isImage: boolean): { filename?: string } {
  return isImage ? {} : optional({ filename: name })
}
