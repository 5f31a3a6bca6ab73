/** Encodes images and files in user messages and results. */
import type { ContentPart } from '@x/tool-core'
import { toUrl } from '../../protocol/content.ts'
import type { ToolMessage, UserMessage } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { isKnownImage, partsOrText } from '../losses.ts'
import type { ResponsesPart } from './body.ts'

export function toWireContent(message: UserMessage | ToolMessage, lose: Lose): string | ResponsesPart[] {
  return partsOrText(message, toWirePart, lose)
}

function toWirePart(part: ContentPart): ResponsesPart | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      if (!isKnownImage(part)) return undefined
      return { type: 'input_image', image_url: toUrl(part.source, part.mediaType), detail: 'auto' }
    case 'file': {
      // This API doesn't accept audio or video as files.
      if (/^(?:audio|video)\//.test(part.mediaType)) return undefined
      if ('url' in part.source) return { type: 'input_file', file_url: part.source.url }
      const filename = part.name ?? (part.mediaType === 'application/pdf' ? 'document.pdf' : 'document')
      return { type: 'input_file', filename, file_data: toUrl(part.source, part.mediaType) }
    }
  }
}
