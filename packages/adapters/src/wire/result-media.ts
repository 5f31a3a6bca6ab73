/** Sends images and files in results in a user message after the results of the turn, for APIs that accept only text in results. */
import type { ContentPart } from '@x/tool-core'
import type { Message, ToolMessage } from '../protocol/protocol.ts'
import { byList, type Lose } from './convert-once.ts'
import { losePart } from './losses.ts'

/**
 * Creates a function that adds the media of results to the converted messages. The media of a turn's results come after the last result,
 * because no message may separate the results. Unsupported media are reported as lost and are only named in the text of the result.
 * `toWirePart` returns undefined for an unsupported part. `send` returns the message that contains the media.
 */
export function resultMedia<WireMessage, Part>(
  toWirePart: (part: ContentPart) => Part | undefined,
  send: (parts: Part[]) => WireMessage,
): (messages: readonly Message[], converted: WireMessage[], lose: Lose) => WireMessage[] {
  const toMedia = byList((message: Message, lose) => (hasMedia(message) ? mediaOf(message, toWirePart, lose) : []))
  return (messages, converted, lose) => {
    if (!messages.some(hasMedia)) return converted
    const media = toMedia(messages, lose)
    const sent: WireMessage[] = []
    let open: Part[] = []
    const close = () => {
      if (open.length > 0) sent.push(send(open))
      open = []
    }
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'tool') close()
      sent.push(converted[index] as WireMessage)
      open.push(...(media[index] as readonly Part[]))
    }
    close()
    return sent
  }
}

function hasMedia(message: Message): message is ToolMessage {
  return message.role === 'tool' && message.parts !== undefined
}

/** Returns the images and files of a result in the form of the API, after a text part that names the call. */
function mediaOf<Part>(
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
