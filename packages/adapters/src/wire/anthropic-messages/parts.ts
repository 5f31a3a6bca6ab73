/** Encodes text, images and documents as blocks of the Messages API. */
import type { ContentPart, FilePart, ImagePart } from '@x/tool-core'
import { partsOf, toContent } from '../../protocol/content.ts'
import type { Message } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { IMAGE_TYPES, isKnownImage } from '../losses.ts'
import { isBlank } from '../user-turns.ts'
import type { DocumentBlock, ImageBlock, ImageType, PartBlock } from './body.ts'

/**
 * Encodes the parts of a message. Unsupported parts are replaced by text that names them, and reported as lost. `takesMedia` is false for
 * the result of a failed call, because such a result accepts only text.
 */
export function partBlocks(message: Message, lose: Lose, takesMedia = true): PartBlock[] {
  const blocks = partsOf(message).map((part, index) => toBlock(part, takesMedia) ?? inWords(part, index, lose))
  return blocks.filter((block) => block.type !== 'text' || !isBlank(block.text))
}

function toBlock(part: ContentPart, takesMedia: boolean): PartBlock | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (!takesMedia) return undefined
  return part.type === 'image' ? toImage(part) : toDocument(part)
}

function toImage(part: ImagePart): ImageBlock | undefined {
  const { mediaType, source } = part
  if ('url' in source) return isKnownImage(part) ? { type: 'image', source: { type: 'url', url: source.url } } : undefined
  if (!isImageType(mediaType)) return undefined
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: source.base64 } }
}

function isImageType(mediaType: string): mediaType is ImageType {
  return IMAGE_TYPES.has(mediaType)
}

function toDocument({ mediaType, source, name }: FilePart): DocumentBlock | undefined {
  const title = name === undefined ? {} : { title: name }
  if (mediaType === 'application/pdf') {
    if ('url' in source) return { type: 'document', source: { type: 'url', url: source.url }, ...title }
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data: source.base64 }, ...title }
  }
  const data = mediaType.startsWith('text/') && 'base64' in source ? decodeText(source.base64) : undefined
  return data === undefined ? undefined : { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title }
}

/** Decodes bytes as UTF-8. Undefined if they aren't valid UTF-8. */
function decodeText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function inWords(part: ContentPart, index: number, lose: Lose): PartBlock {
  lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped', note: 'not supported in this position: sent as text' })
  return { type: 'text', text: toContent([part]).content }
}
