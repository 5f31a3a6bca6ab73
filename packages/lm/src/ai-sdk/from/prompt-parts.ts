/** Converts the images and files in messages and results to parts of an AI SDK prompt. */
import type { ContentPart, FilePart, ImagePart, ToolMessage } from '@x/adapters'
import type { Lose } from '../losses.ts'
import { type Json, optional } from '../read.ts'
import type { Version } from './versions.ts'

/** Converts an image or a file. A part with an invalid URL can't be sent, so its name is sent as text instead. */
export function toFilePart(part: ImagePart | FilePart, version: Version, path: string, lose: Lose): Json {
  const { source, mediaType } = part
  if ('url' in source && !URL.canParse(source.url)) {
    lose({ path, keyword: part.type, action: 'dropped', note: 'its address is not a valid URL' })
    return { type: 'text', text: nameOf(part) }
  }
  const filename = part.type === 'file' ? part.name : undefined
  return { type: 'file', data: version.fileData(source), mediaType, ...optional({ filename }) }
}

/** Converts a result. A result with parts has no field for the error flag, but its text already says that it is an error. */
export function toResultOutput({ content, parts, isError }: ToolMessage, version: Version, lose: Lose): Json {
  if (parts === undefined) return { type: isError === true ? 'error-text' : 'text', value: content }
  return { type: 'content', value: parts.map((part, index) => toResultPart(part, version, `/parts/${index}`, lose)) }
}

function toResultPart(part: ContentPart, version: Version, path: string, lose: Lose): Json {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, source } = part
  const isReadable = !('url' in source) || URL.canParse(source.url)
  const name = part.type === 'file' ? part.name : undefined
  const sent = isReadable ? version.resultPart({ mediaType, source, name, isImage: part.type === 'image' }) : undefined
  if (sent !== undefined) return sent
  lose({
    path,
    keyword: part.type,
    action: 'dropped',
    note: isReadable ? 'this version has no field for an address' : 'its address is not a valid URL',
  })
  return { type: 'text', text: nameOf(part) }
}

/** Returns the text that replaces a part where only text can be sent. */
export function nameOf(part: ImagePart | FilePart): string {
  return `[${part.type === 'file' && part.name !== undefined ? `${part.name}, ${part.mediaType}` : part.mediaType}]`
}
