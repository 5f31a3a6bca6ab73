/** Images and files in results, for APIs whose results are text: they are sent in a user message after the results of the turn. */
import type { ContentPart } from '@x/tool-core'
import type { Message, ToolMessage } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { losePart } from './losses.ts'

/**
 * Returns a result's images and files in the API's form, for a user message, after a text part that names the call. Unsupported ones are
 * lost, and the result's text names them. `toWirePart` returns undefined for an unsupported part.
 */
export function resultMedia<Part>(
  { callId, name, parts = [] }: ToolMessage,
  toWirePart: (part: ContentPart) => Part | undefined,
  lose: Lose,
): readonly Part[] {
  const media = parts.flatMap((part, index) => {
    if (part.type === 'text') return []
    const taken = toWirePart(part)
    if (taken === undefined) losePart(part, index, lose)
    return taken ?? []
  })
  const label = toWirePart({ type: 'text', text: `In the result of "${name}" (call ${callId}):` })
  return media.length === 0 || label === undefined ? media : [label, ...media]
}

/** How an API accepts images and files from results. */
export interface ResultMedia<WireMessage, Part> {
  /** Calls `resultMedia` for a message that has parts. */
  read(message: ToolMessage, index: number): readonly Part[]
  /** The messages that contain the media. */
  send(parts: readonly Part[]): readonly WireMessage[]
}

/** Converts messages in order. No message may come between the results of a turn, so their media follows the last one. */
export function withResultMedia<WireMessage, Part>(
  messages: readonly Message[],
  convert: (message: Message, index: number) => WireMessage,
  media: ResultMedia<WireMessage, Part>,
): WireMessage[] {
  const sent: WireMessage[] = []
  let open: Part[] = []
  const close = () => {
    if (open.length > 0) sent.push(...media.send(open))
    open = []
  }
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') close()
    sent.push(convert(message, index))
    if (message.role === 'tool' && message.parts !== undefined) open.push(...media.read(message, index))
  }
  close()
  return sent
}
