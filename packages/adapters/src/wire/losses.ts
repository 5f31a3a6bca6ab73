/** Reports what an API doesn't support. */
import type { ContentPart } from '@x/tool-core'
import { partsOf, toContent } from '../protocol/content.ts'
import type { AssistantMessage, ResponseFormat, ToolMessage, UserMessage } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'

/** Returns the name of a lost part, which is sent in its place. */
export function losePart(part: ContentPart, index: number, lose: Lose): string {
  lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped' })
  return toContent([part]).content
}

/**
 * The parts of a message in the API's form; only the text if the API supports nothing else. `toWirePart` returns undefined for an
 * unsupported part.
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

/** Reports a lost error flag, for an API without one: only the text of the result can show that the call failed. */
export function loseErrorFlag({ isError }: ToolMessage, lose: Lose): void {
  if (isError) lose({ path: '/isError', keyword: 'isError', action: 'dropped' })
}

/**
 * `isSent` is true if reasoning is sent back in the provider's own form, from metadata. Reasoning from another provider has no such form.
 */
export function loseReasoning({ reasoning }: AssistantMessage, isSent: boolean, lose: Lose, note?: string): void {
  if (!reasoning || isSent) return
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', ...(note !== undefined && { note }) })
}

/** Reports the lost name and description of a reply's schema, for an API that accepts neither. */
export function loseFormatWords(format: ResponseFormat, words: readonly ('name' | 'description')[], lose: Lose): void {
  for (const word of words)
    if (format[word] !== undefined) lose({ path: `/responseFormat/${word}`, keyword: word, action: 'dropped' })
}
