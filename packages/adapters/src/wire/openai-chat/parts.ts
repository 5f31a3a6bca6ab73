/** Encodes the images and files that a host supports. */
import type { ContentPart } from '@x/tool-core'
import { toUrl } from '../../protocol/content.ts'
import type { UserMessage } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { isKnownImage, partsOrText } from '../losses.ts'
import type { OpenAIChatPart } from './body.ts'
import type { OpenAIChatHost } from './hosts.ts'

export function toWireContent(message: UserMessage, host: OpenAIChatHost, lose: Lose): string | OpenAIChatPart[] {
  return partsOrText(message, (part) => toWirePart(part, host), lose)
}

export function toWirePart(part: ContentPart, { media }: OpenAIChatHost): OpenAIChatPart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'image') {
    const isTaken = media.includes('url' in part.source ? 'image-url' : 'image') && isKnownImage(part)
    return isTaken ? { type: 'image_url', image_url: { url: toUrl(part.source, part.mediaType) } } : undefined
  }
  if ('url' in part.source) return undefined
  const format = AUDIO_FORMATS.get(part.mediaType)
  if (format !== undefined && media.includes('audio'))
    return { type: 'input_audio', input_audio: { data: part.source.base64, format } }
  if (part.mediaType !== 'application/pdf' || !media.includes('pdf')) return undefined
  return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: toUrl(part.source, part.mediaType) } }
}

const AUDIO_FORMATS: ReadonlyMap<string, 'wav' | 'mp3'> = new Map<string, 'wav' | 'mp3'>([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])
