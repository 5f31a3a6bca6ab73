/** Images and files in messages of the user, as far as a host takes them. */
import { type ContentPart, partsOf, toUrl } from '../../protocol/content.ts'
import type { UserMessage } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { losePart } from '../losses.ts'
import type { OpenAIChatPart } from './body.ts'
import type { OpenAIChatHost } from './hosts.ts'

/** The text alone where there is nothing else in it that the host takes: not every host takes a list. */
export function toWireContent(message: UserMessage, host: OpenAIChatHost, lose: Lose): string | OpenAIChatPart[] {
  const parts = partsOf(message).map(
    (part, index) => toWirePart(part, host) ?? { type: 'text' as const, text: losePart(part, index, lose) },
  )
  return parts.some(({ type }) => type !== 'text') ? parts : message.content
}

function toWirePart(part: ContentPart, { media }: OpenAIChatHost): OpenAIChatPart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'image') {
    const isTaken = media.includes('url' in part.source ? 'image-url' : 'image')
    return isTaken ? { type: 'image_url', image_url: { url: toUrl(part.source, part.mediaType) } } : undefined
  }
  if ('url' in part.source) return undefined
  const format = AUDIO_FORMATS.get(part.mediaType)
  if (format !== undefined && media.includes('audio'))
    return { type: 'input_audio', input_audio: { data: part.source.base64, format } }
  if (part.mediaType !== 'application/pdf' || !media.includes('pdf')) return undefined
  return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: toUrl(part.source, part.mediaType) } }
}

const AUDIO_FORMATS: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])
