/** Reads a text file, some of its lines, or an image. */
import { fileError } from '../errors.ts'
import { assertSize, type ReadLimits, readWhole, withFile } from '../jail/file.ts'
import type { Jail } from '../jail/jail.ts'
import type { Place } from '../path.ts'
import { quote } from '../quote.ts'
import { HEADER_BYTES, imageTypeOf } from './image-type.ts'
import { decodeText, splitLines } from './text.ts'

export interface ReadRange {
  /** Number of the first line. The first line of a file is 1. */
  readonly startLine: number
  readonly lineCount: number
}

export interface FileText {
  readonly path: string
  readonly text: string
  /** Size of the whole file, in bytes. */
  readonly size: number
  /** Number of lines in the whole file. */
  readonly lines: number
  /** True if more lines follow. */
  readonly truncated: boolean
  /** The image. Undefined for a text file. An image has no text and no lines. */
  readonly image?: FileImage | undefined
}

export interface FileImage {
  /** One of `image/png`, `image/jpeg`, `image/gif` and `image/webp`. */
  readonly mediaType: string
  readonly data: Uint8Array
}

interface FileLimits extends ReadLimits {
  /** Maximum size of an image, in bytes. Used instead of `maxBytes`. */
  readonly maxImageBytes: number
}

export async function readText(jail: Jail, place: Place, range: ReadRange, limits: FileLimits): Promise<FileText> {
  if (place.names.length === 0) throw fileError('not_a_regular_file', `${quote(place.given)} is the root directory, not a file.`)
  const { bytes, mediaType } = await jail.within(place, (entry) =>
    withFile(jail, entry, async (file) => {
      const { buffer } = await file.handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
      const mediaType = imageTypeOf(buffer)
      const maxBytes = mediaType === undefined ? limits.maxBytes : limits.maxImageBytes
      return { bytes: await readWhole(file, place.given, { ...limits, maxBytes }), mediaType }
    }),
  )
  const { path } = place
  const text = decodeText(bytes)
  if (text === undefined && mediaType !== undefined)
    return { path, text: '', size: bytes.length, lines: 0, truncated: false, image: { mediaType, data: bytes } }
  if (text === undefined)
    throw fileError('binary', `${quote(place.given)} is neither a text file nor an image: it contains NUL or invalid UTF-8.`)
  // A text may start with the same bytes as an image, so the limit for text applies.
  assertSize(bytes.length, place.given, limits.maxBytes)
  const lines = splitLines(text)
  const start = Math.max(0, range.startLine - 1)
  const end = start + Math.max(0, range.lineCount)
  return {
    path,
    text: lines.slice(start, end).join(''),
    size: bytes.length,
    lines: lines.length,
    truncated: end < lines.length,
  }
}
