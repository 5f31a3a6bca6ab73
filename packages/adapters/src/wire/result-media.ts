/** Sends images and files in results in a user message after the results of the turn, for APIs that accept only text in results. */
import type { ContentPart } from '@x/tool-core'
import type { Message, ToolMessage } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { losePart } from './losses.ts'

/**
 * Returns the images and files of a result in the form of the API, after a text part that names the call. Unsupported media are reported
 * as lost and are only named in the text of the result. `toWirePart` returns undefined for an unsupported part.
 */
export function resultMedia<Part>(
  { callId, name, parts = [] }: ToolMessage,
  toWirePart: (part: ContentPart) => Part | undefined,
  lose: Lose,
): readonly Part[] {
  const media: Part[] = []
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') continue
    const taken = toWirePart(part)
    if (taken === undefined) losePart(part, index, lose)
    else media.push(taken)
  }
  const label = toWirePart({ type: 'text', text: `In the result of "${name}" (call ${callId}):` })
  return media.length === 0 || label === undefined ? media : [label, ...media]
}

/** Reads the images and files of results, and creates the messages that contain them. */
export interface ResultMedia<WireMessage, Part> {
  /** Calls `resultMedia` for a message with parts. */
  read(message: ToolMessage, index: number): readonly Part[]
  /** Returns the messages that contain the media. */
  send(parts: readonly Part[]): readonly WireMessage[]
}

/** Converts messages in order. The media of a turn's results come after the last result, because no message may separate the results. */
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
