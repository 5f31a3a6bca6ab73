/** Reports losses: parts of a message or a response format that the API doesn't support. */
import type { ContentPart, ImagePart } from '@x/tool-core'
import { partsOf, toContent } from '../protocol/content.ts'
import type { AssistantMessage, ResponseFormat, ToolMessage, UserMessage } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'

/** The types of images that all these APIs accept. They reject a conversation with an image of another type, such as SVG. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** True for an image of one of these types. The type of an image with a URL may be unknown, as in the AI SDK: `image/*`. */
export function isKnownImage({ mediaType, source }: ImagePart): boolean {
  return IMAGE_TYPES.has(mediaType) || (mediaType === 'image/*' && 'url' in source)
}

/** Reports a lost part, and returns the text to send instead, such as `[image/png]`. */
export function losePart(part: ContentPart, index: number, lose: Lose, note?: string): string {
  lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped', note })
  return toContent([part]).content
}

/**
 * Returns the parts of a message in the form of the API. Returns only the text of the message if the API supports no other part.
 * `toWirePart` returns undefined for an unsupported part.
 */
export function partsOrText<Part>(
  message: UserMessage | ToolMessage,
  toWirePart: (part: ContentPart) => Part | undefined,
  lose: Lose,
): string | Part[] {
  let isMore = false
  const parts: Part[] = []
  for (const [index, part] of partsOf(message).entries()) {
    const taken = toWirePart(part)
    isMore ||= taken !== undefined && part.type !== 'text'
    const sent = taken ?? toWirePart({ type: 'text', text: losePart(part, index, lose) })
    if (sent !== undefined) parts.push(sent)
  }
  return isMore ? parts : message.content
}

/**
 * Reports the error flag of a result as lost, for APIs without such a flag. The model can then only learn from the result's text that the
 * call failed.
 */
export function loseErrorFlag({ isError }: ToolMessage, lose: Lose): void {
  if (isError) lose({ path: '/isError', keyword: 'isError', action: 'dropped' })
}

/**
 * Reports reasoning as lost unless it is sent back. `isSent` is true if the metadata contains the reasoning in the provider's own form.
 * Reasoning from another provider never has that form.
 */
export function loseReasoning({ reasoning }: AssistantMessage, isSent: boolean, lose: Lose, note?: string): void {
  if (!reasoning || isSent) return
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', ...(note !== undefined && { note }) })
}

/** Reports the name or description of a response format as lost, for APIs that don't accept it. */
export function loseFormatWords(format: ResponseFormat, words: readonly ('name' | 'description')[], lose: Lose): void {
  for (const word of words)
    if (format[word] !== undefined) lose({ path: `/responseFormat/${word}`, keyword: word, action: 'dropped' })
}
