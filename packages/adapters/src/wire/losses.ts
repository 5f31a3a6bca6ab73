/** Reports what an API has no place for. */
import { type ContentPart, partsOf, toContent } from '../protocol/content.ts'
import type { AssistantMessage, ResponseFormat, ToolMessage, UserMessage } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'

/** What is sent in the place of a part that is lost: its name. */
function losePart(part: ContentPart, index: number, lose: Lose): string {
  lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped' })
  return toContent([part]).content
}

/**
 * The parts of a message as an API has them; the text alone where the API takes nothing else in it. `toWirePart` returns undefined for a
 * part that the API doesn't take.
 */
export function partsOrText<Part>(
  message: UserMessage | ToolMessage,
  toWirePart: (part: ContentPart) => Part | undefined,
  lose: Lose,
): string | Part[] {
  let isMore = false
  const parts = partsOf(message).flatMap((part, index) => {
    const taken = toWirePart(part)
    isMore ||= taken !== undefined && part.type !== 'text'
    return taken ?? toWirePart({ type: 'text', text: losePart(part, index, lose) }) ?? []
  })
  return isMore ? parts : message.content
}

/** For an API whose results are texts: the text of the message names what is lost. */
export function loseMedia({ parts = [] }: ToolMessage, lose: Lose): void {
  for (const [index, part] of parts.entries()) if (part.type !== 'text') losePart(part, index, lose)
}

/** For an API without a flag for it: that the call failed is then told by the words of the result alone, or not at all. */
export function loseErrorFlag({ isError }: ToolMessage, lose: Lose): void {
  if (isError) lose({ path: '/isError', keyword: 'isError', action: 'dropped' })
}

/** `isSent`: reasoning goes back in the provider's own form, from metadata. That of another provider has no such form. */
export function loseReasoning({ reasoning }: AssistantMessage, isSent: boolean, lose: Lose, note?: string): void {
  if (!reasoning || isSent) return
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', ...(note !== undefined && { note }) })
}

/** For an API whose replies in JSON have a schema, and no words about it. */
export function loseFormatWords(format: ResponseFormat, words: readonly ('name' | 'description')[], lose: Lose): void {
  for (const word of words)
    if (format[word] !== undefined) lose({ path: `/responseFormat/${word}`, keyword: word, action: 'dropped' })
}
