/** Messages of a conversation that are no longer sent, to stay within the model's context window. */
import type { Message } from './protocol.ts'

/** Messages from `start` up to, but not including, `end`, by their index in `Conversation.messages`. */
export interface Forgotten {
  readonly start: number
  readonly end: number
  /** Text that replaces them in requests. */
  readonly words: string
}

/** Adds a range and removes ranges within it. */
export function withForgotten(ranges: readonly Forgotten[], more: Forgotten): readonly Forgotten[] {
  const others = ranges.filter(({ start, end }) => start < more.start || end > more.end)
  return [...others, more].sort((one, other) => one.start - other.start)
}

/** The messages to send: each range is replaced with one user message. */
export function withoutForgotten(messages: readonly Message[], ranges: readonly Forgotten[]): readonly Message[] {
  const sent: Message[] = []
  let at = 0
  for (const { start, end, words } of ranges) {
    sent.push(...messages.slice(at, start), { role: 'user', content: words })
    at = end
  }
  return [...sent, ...messages.slice(at)]
}
