/** Encodes text, images and files as Converse blocks. */
import type { ContentPart, MediaSource } from '@x/tool-core'
import { partsOf, toContent } from '../../protocol/content.ts'
import type { Message } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { isBlank } from '../user-turns.ts'
import type { DocumentFormat, ImageFormat, MediaBytes, PartBlock, VideoFormat } from './body.ts'

/** Encodes the parts of a message. Unsupported parts are replaced by text that names them, and reported as lost. */
export function partBlocks(message: Message, takes: (type: 'image' | 'file') => boolean, lose: Lose): PartBlock[] {
  const blocks = partsOf(message).map((part, index): PartBlock => {
    if (part.type === 'text') return { text: part.text }
    const block = takes(part.type) ? toBlock(part, index, lose) : undefined
    if (block !== undefined) return block
    lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped', note: 'not supported in this position: sent as text' })
    return inWords(part)
  })
  return blocks.filter((block) => !('text' in block) || !isBlank(block.text))
}

/**
 * Adds a text block with the names of the files if a message has a document but no text, because the API requires text next to a
 * document.
 */
export function withText(blocks: readonly PartBlock[], message: Message): readonly PartBlock[] {
  if (!blocks.some((block) => 'document' in block) || blocks.some((block) => 'text' in block)) return blocks
  return [
    ...partsOf(message)
      .filter(({ type }) => type === 'file')
      .map(inWords),
    ...blocks,
  ]
}

function inWords(part: ContentPart): PartBlock {
  return { text: toContent([part]).content }
}

function toBlock(part: Exclude<ContentPart, { type: 'text' }>, index: number, lose: Lose): PartBlock | undefined {
  const source = toSource(part.source)
  if (source === undefined) return undefined
  if (part.type === 'image') {
    const format = IMAGES.get(part.mediaType)
    return format && { image: { format, source } }
  }
  const video = VIDEOS.get(part.mediaType)
  if (video !== undefined) return { video: { format: video, source } }
  const format = DOCUMENTS.get(part.mediaType)
  return format && { document: { format, name: toName(part.name, index, lose), source } }
}

/** Returns the source in the API's form. Undefined for a URL outside S3, because the API fetches only from S3. */
function toSource(source: MediaSource): MediaBytes | undefined {
  if ('base64' in source) return { bytes: source.base64 }
  return source.url.startsWith('s3://') ? { s3Location: { uri: source.url } } : undefined
}

/**
 * Converts the name of a document to a valid one: letters, digits, hyphens, parentheses, brackets and single spaces, at most 200
 * characters. Source: AWS reference, DocumentBlock.
 */
function toName(name: string | undefined, index: number, lose: Lose): string {
  if (name === undefined) return UNNAMED
  const words = name.replace(/[^a-zA-Z0-9()[\]-]/g, ' ').split(' ')
  const legal =
    words
      .filter((word) => word !== '')
      .join(' ')
      .slice(0, MAX_NAME)
      .trimEnd() || UNNAMED
  if (legal !== name)
    lose({ path: `/parts/${index}/name`, keyword: 'name', action: 'dropped', note: `sent as ${JSON.stringify(legal)}` })
  return legal
}

const UNNAMED = 'Document'
/**
 * Maximum length of the name itself. The rest of the API's 200 characters is for a number that distinguishes documents with the same
 * name.
 */
const MAX_NAME = 190

const IMAGES: ReadonlyMap<string, ImageFormat> = new Map<string, ImageFormat>([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const DOCUMENTS: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  [`${OFFICE}.wordprocessingml.document`, 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  [`${OFFICE}.spreadsheetml.sheet`, 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
])

const VIDEOS: ReadonlyMap<string, VideoFormat> = new Map<string, VideoFormat>([
  ['video/x-matroska', 'mkv'],
  ['video/quicktime', 'mov'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['video/x-flv', 'flv'],
  ['video/mpeg', 'mpeg'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/3gpp', 'three_gp'],
])
