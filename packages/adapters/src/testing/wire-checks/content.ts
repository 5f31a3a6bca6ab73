/** Checks that images and files are sent. Otherwise, the text must name them and a loss must be reported. */
import { toContent } from '../../protocol/content.ts'
import type { Message } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { CALL_IDS, continued, IMAGE_RESULT, turns, WORDS } from '../contract-requests.ts'
import { deepFreeze, holds, placesIn, stringsIn } from '../json-walk.ts'
import { responsesOf } from '../sample-kinds.ts'
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
  {
    id: 'media-results',
    name: 'results of a turn stay together, and each of their images is sent once, after its call',
    check: ensureInPlace,
  },
  {
    id: 'image-result',
    name: 'a result with an image is sent in the form that the API documents',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject)) {
        if (sample.sent === undefined) continue
        const body = subject.wire.encode(continued(response, false, IMAGE_RESULT), subject.model)
        const end = messagesIn(body)?.slice(-sample.sent.length)
        ensureSame(end, sample.sent, `${what}: the end of the messages after a result with an image`)
      }
    },
  },
]

/** Returns the list of messages: the first list that contains the question. */
function messagesIn(body: unknown): readonly unknown[] | undefined {
  return placesIn(body).find(({ value }) => Array.isArray(value) && holds(value, WORDS.question))?.value as unknown[] | undefined
}

function ensureInPlace({ wire, model }: Subject): void {
  const [opening = [], [call] = [], ...later] = turns()
  const images = [WORDS.image, `${WORDS.image.slice(0, -4)}ZWI=`]
  const results = CALL_IDS.map((callId, index): Message => {
    const source = { base64: images[index] as string }
    const content = toContent([
      { type: 'text', text: WORDS.result[index] as string },
      { type: 'image', mediaType: 'image/png', source },
    ])
    return { role: 'tool', callId, name: 'contract_look_up', ...content }
  })
  const body = wire.encode(deepFreeze({ messages: [...opening, call, ...results, ...later.flat()] as Message[] }), model)
  const list = messagesIn(body)
  // An API may accept only text, or no images.
  if (list === undefined || !holds(body, images[0] as string)) return
  const places = [...WORDS.result, ...images, WORDS.answer].map((words) => list.findIndex((message) => holds(message, words)))
  const [first = 0, second = 0, ...others] = places
  ensure(second - first <= 1, 'something is sent between the results of a turn', { found: list.slice(first, second + 1) })
  const answered = others.pop() as number
  for (const [index, image] of images.entries()) {
    const count = stringsIn(body).filter((text) => text.includes(image)).length
    ensure(count === 1, `the image of result ${index + 1} is sent ${count} times`, { found: body })
    const at = others[index] as number
    ensure(at >= (places[index] as number) && at < answered, `the image of result ${index + 1} isn't sent after its call`, {
      found: list,
    })
  }
}

function ensureSent({ wire, model }: Subject, messages: readonly Message[]): void {
  const losses: Loss[] = []
  const body = wire.encode(deepFreeze({ messages }), model, { onLoss: (loss) => losses.push(loss) })
  for (const words of ['contract-words-before', 'contract-words-behind'])
    ensure(holds(body, words), 'the text next to the image is missing', { expected: words })
  if (holds(body, WORDS.image)) return
  const place = `/messages/${messages.findIndex((message) => 'parts' in message)}/parts/1`
  ensure(holds(body, 'image/png'), 'the image is neither sent nor named in the text')
  ensure(
    losses.some(({ path }) => path.startsWith(place)),
    `the image is not sent, and no loss is reported at ${place}`,
    { found: losses },
  )
}
