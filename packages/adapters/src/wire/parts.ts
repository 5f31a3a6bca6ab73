/** Parts of a message that an API has no place for, and the addresses of those that it has. */
import { type ContentPart, type MediaSource, toContent } from '../protocol/content.ts'
import type { ToolMessage } from '../protocol/protocol.ts'
import type { Lose } from './by-message.ts'

/** What is sent in the place of a part that is lost: its name. */
export function losePart(part: ContentPart, index: number, lose: Lose): string {
  lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped' })
  return toContent([part]).content
}

/** For an API whose results are texts: the text of the message names what is lost. */
export function loseMedia({ parts = [] }: ToolMessage, lose: Lose): void {
  for (const [index, part] of parts.entries()) if (part.type !== 'text') losePart(part, index, lose)
}

/** The address, or the bytes as a `data:` address. */
export function toUrl(source: MediaSource, mediaType: string): string {
  return 'url' in source ? source.url : `data:${mediaType};base64,${source.base64}`
}
