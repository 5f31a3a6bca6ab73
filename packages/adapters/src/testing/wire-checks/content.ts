/** Checks that images and files are sent, or named in the text and reported as a loss. */
import { toContent } from '../../protocol/content.ts'
import type { Message } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { ensure } from '../contract-error.ts'
import { CALL_IDS, turns, WORDS } from '../contract-requests.ts'
import { deepFreeze, holds } from '../json-walk.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

const CONTENT = toContent([
  { type: 'text', text: 'contract-words-before' },
  { type: 'image', mediaType: 'image/png', source: { base64: WORDS.image } },
  { type: 'text', text: 'contract-words-behind' },
])

export const CONTENT_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'media-user',
    name: 'an image from the user is sent, or named in the text and reported as a loss',
    check: (subject) => ensureSent(subject, [{ role: 'user', ...CONTENT }]),
  },
  {
    id: 'media-result',
    name: 'an image in a result is sent, or named in the text and reported as a loss',
    check(subject) {
      const [opening = [], [call, , second] = []] = turns()
      const result: Message = { role: 'tool', callId: CALL_IDS[0], name: 'contract_look_up', ...CONTENT }
      ensureSent(subject, [...opening, call, result, second] as Message[])
    },
  },
]

function ensureSent({ wire, model }: Subject, messages: readonly Message[]): void {
  const losses: Loss[] = []
  const body = wire.encode(deepFreeze({ messages }), model, { onLoss: (loss) => losses.push(loss) })
  for (const words of ['contract-words-before', 'contract-words-behind'])
    ensure(holds(body, words), 'the text beside the image is missing', { expected: words })
  if (holds(body, WORDS.image)) return
  const place = `/messages/${messages.findIndex((message) => 'parts' in message)}/parts/1`
  ensure(holds(body, 'image/png'), 'the image is neither sent nor named in the text')
  ensure(
    losses.some(({ path }) => path.startsWith(place)),
    `the image is not sent, and no loss is reported at ${place}`,
    { found: losses },
  )
}
