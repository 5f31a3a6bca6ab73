/** Fields of a message that an API has no place for. */
import type { AssistantMessage, ResponseFormat, ToolMessage } from '../protocol/protocol.ts'
import type { Lose } from './by-message.ts'

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
