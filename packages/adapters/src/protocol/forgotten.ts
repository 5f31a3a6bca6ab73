/** Ranges of messages that aren't sent any more, so that a conversation fits into the context window. */
import type { Message } from './protocol.ts'

/** A range of messages from `start` up to, but not including, `end`. Both are indexes in `Conversation.messages`. */
export interface Forgotten {
  readonly start: number
  readonly end: number
  /** Text that is sent instead of the messages. */
  readonly words: string
}

/** Adds a range, and removes ranges that lie inside it. */
export function withForgotten(ranges: readonly Forgotten[], more: Forgotten): readonly Forgotten[] {
  const others = ranges.filter(({ start, end }) => start < more.start || end > more.end)
  return [...others, more].sort((one, other) => one.start - other.start)
}

/**
 * Returns the messages to send from `from` to `to`, with one user message in place of each range. `from` and `to` must not be
 * inside a range.
 */
export function withoutForgotten(
  messages: readonly Message[],
  ranges: readonly Forgotten[],
  from = 0,
  to = messages.length,
): readonly Message[] {
  const sent: Message[] = []
  let at = from
  for (const { start, end, words } of ranges) {
    if (start < from || start >= to) continue
    const note: Message = { role: 'user', content: words }
    Object.freeze(note)
    sent.push(...messages.slice(at, start), note)
    at = end
  }
  return [...sent, ...messages.slice(at, to)]
}

/** Returns the position, or the end of the range that contains it. */
export function afterForgotten(ranges: readonly Forgotten[], place: number): number {
  return ranges.find(({ start, end }) => start < place && place < end)?.end ?? place
}
