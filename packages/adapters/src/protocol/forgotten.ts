/** What of a conversation is not sent any more, because a model reads only so much. */
import type { Message } from './protocol.ts'

/** Messages from `start` up to `end`, by their places in `Conversation.messages`. */
export interface Forgotten {
  readonly start: number
  readonly end: number
  /** What the model reads in their place. */
  readonly words: string
}

/** One range more; those that lie within it are part of it. */
export function withForgotten(ranges: readonly Forgotten[], more: Forgotten): readonly Forgotten[] {
  const others = ranges.filter(({ start, end }) => start < more.start || end > more.end)
  return [...others, more].sort((one, other) => one.start - other.start)
}

/** The messages as they are sent: each range is one message of the user. */
export function withoutForgotten(messages: readonly Message[], ranges: readonly Forgotten[]): readonly Message[] {
  const sent: Message[] = []
  let at = 0
  for (const { start, end, words } of ranges) {
    sent.push(...messages.slice(at, start), { role: 'user', content: words })
    at = end
  }
  return [...sent, ...messages.slice(at)]
}
