/** Checks that `encode` is pure and deterministic, writes JSON, and only appends messages when a conversation grows. */
import type { LMRequest, Message } from '../../protocol/protocol.ts'
import type { WireFormat } from '../../wire/wire-format.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { conversation, question, TOOL, turns, WORDS } from '../contract-requests.ts'
import { deepFreeze, holds, notJson, pathOf } from '../json-walk.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const ENCODE_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'encode-pure',
    name: "encode accepts a frozen request, doesn't change it, and keeps nothing from another one",
    check({ wire, model }) {
      const request = conversation({ tools: [TOOL], settings: { stop: ['x'] }, providerOptions: { contract: { deep: [1] } } })
      const before = JSON.stringify(request)
      const body = JSON.stringify(wire.encode(request, model))
      ensure(JSON.stringify(request) === before, 'encode changed the request')
      wire.encode(question(), model)
      wire.encode(conversation({ tools: [TOOL] }), model, { stream: true })
      ensureSame(wire.encode(request, model), JSON.parse(body), 'a different request in between changes the body')
    },
  },
  {
    id: 'encode-stable',
    name: 'encode returns the same bytes for an equal request',
    check({ wire, model }) {
      const write = () => wire.encode(conversation({ tools: [{ ...TOOL }], settings: { temperature: 0 } }), model)
      ensureSame(write(), write(), 'two equal requests')
    },
  },
  {
    id: 'encode-json',
    name: 'encode returns plain JSON that contains the text of every message, with the system message apart',
    check({ wire, model }) {
      const body = wire.encode(conversation({ tools: [TOOL] }), model)
      const place = notJson(body)
      ensure(place === undefined, `the body contains a value that is not JSON at /${place && pathOf(place).join('/')}`, {
        found: place?.value,
      })
      const { system, question: asked, answer, argument, result } = WORDS
      for (const words of [system, asked, answer, ...argument, ...result])
        ensure(holds(body, words), `the body does not contain ${JSON.stringify(words)} of the messages`)
      const write = (role: 'system' | 'user') =>
        JSON.stringify(wire.encode({ messages: [{ role, content: system }, ...question().messages] }, model))
      ensure(write('system') !== write('user'), 'a system message is sent in the same way as a message of the user')
    },
  },
  {
    id: 'encode-path',
    name: 'the path is relative to the base URL, with and without streaming, and the path or the body contains the model',
    check({ wire, model }) {
      const path = (stream: boolean) => wirePath(wire, model, stream)
      for (const stream of [false, true])
        ensure(/^\/[^\s]*$/.test(path(stream)), `${path(stream)} is not a path that starts with "/"`)
      const isNamed = holds(wire.encode(question(), model), model) || path(false) !== wirePath(wire, `${model}-other`)
      ensure(isNamed, 'neither the path nor the body contains the model')
      const headers = { ...wire.headers, ...wire.authHeaders?.('contract-key') }
      for (const [name, value] of Object.entries(headers)) ensure(typeof value === 'string', `the header ${name} is not a string`)
      if (wire.authHeaders !== undefined) ensure(holds(headers, 'contract-key'), 'no header contains the API key')
    },
  },
  {
    id: 'encode-prefix',
    name: 'a growing conversation keeps the bytes of its earlier messages',
    check: checkPrefix,
  },
  {
    id: 'encode-odd',
    name: 'encode accepts a conversation in any state: empty, interrupted, or without its beginning',
    check({ wire, model }) {
      const [opening = [], [call, first, second] = [], [answer] = []] = turns()
      const user: Message = { role: 'user', content: '' }
      const odd = [
        [],
        [user],
        [user, user],
        [answer],
        [first],
        [...opening, call],
        [...opening, call, second, first],
        [...opening, call, answer],
      ]
      for (const messages of [...odd, opening.slice(0, 1), [...opening, ...opening]]) {
        const request = deepFreeze({ messages: messages as Message[], tools: [TOOL] })
        ensure(notJson(wire.encode(request, model)) === undefined, 'the body of an incomplete conversation is not JSON', {
          found: messages,
        })
      }
    },
  },
]

function wirePath({ path }: WireFormat, model: string, stream = false): string {
  return typeof path === 'string' ? path : path(model, stream)
}

function checkPrefix({ wire, model }: Subject): void {
  const all = turns()
  let before: unknown
  for (let count = 1; count <= all.length; count++) {
    const request: LMRequest = deepFreeze({ messages: all.slice(0, count).flat(), tools: [TOOL] })
    const body = wire.encode(request, model) as object
    if (before !== undefined) ensureGrows(before, body)
    before = body
  }
}

/** Throws unless only the list of messages changed, and only at its end. */
function ensureGrows(before: unknown, after: object): void {
  for (const [key, value] of Object.entries(before as object)) {
    const now: unknown = Object.hasOwn(after, key) ? after[key as keyof typeof after] : undefined
    const isList = Array.isArray(value) && Array.isArray(now) && holds(value, WORDS.question)
    ensureSame(isList ? now.slice(0, value.length) : now, value, `after one more turn, \`${key}\` has changed`)
  }
}
