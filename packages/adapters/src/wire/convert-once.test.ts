import { expect, it } from 'vitest'
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { byList, byMessage } from './convert-once.ts'

const message: Message = { role: 'user', content: 'Hello' }

it('converts a message once', () => {
  let conversions = 0
  const convert = byMessage(({ content }: Message) => ({ content, number: ++conversions }))
  const first = convert(message, 0, () => {})
  expect(convert(message, 3, () => {})).toBe(first)
  expect(conversions).toBe(1)
})

it('reports the losses of the conversion for every request, with the position of the message', () => {
  const convert = byMessage((_: Message, lose) => {
    lose({ path: '/parts/0', keyword: 'image', action: 'dropped' })
    return {}
  })
  const losses: Loss[] = []
  convert(message, 0, (loss) => losses.push(loss))
  convert(message, 4, (loss) => losses.push(loss))
  expect(losses.map(({ path }) => path)).toEqual(['/messages/0/parts/0', '/messages/4/parts/0'])
})

/** Converts lists, and counts the conversions of each text. */
function counting() {
  const counts: string[] = []
  const convert = byList(({ content }: Message) => {
    counts.push(content)
    return { content }
  })
  return { counts, convert: (messages: readonly Message[]) => convert(messages, () => {}) }
}

it('converts only the new messages of a list that has grown, also of a copy of it', () => {
  const { counts, convert } = counting()
  const list = ['a', 'b', 'c'].map((content): Message => Object.freeze({ role: 'user', content }))
  const [first] = convert(list.slice(0, 2))
  expect(convert(list)[0]).toBe(first)
  expect(counts).toEqual(['a', 'b', 'c'])
})

it('converts a message again if it was changed or replaced', () => {
  const { counts, convert } = counting()
  const [one, other] = ['a', 'b'].map((content) => ({ role: 'user' as const, content }))
  if (one === undefined || other === undefined) throw new Error('There are two messages.')
  convert([one, other])
  other.content = 'c'
  Object.assign(one, { parts: [] })
  expect(convert([one, other])).toEqual([{ content: 'a' }, { content: 'c' }])
  convert([one, { role: 'user', content: 'd' }])
  expect(counts).toEqual(['a', 'b', 'a', 'c', 'd'])
})

it('reports the losses of a list for every request', () => {
  const convert = byList((_: Message, lose) => lose({ path: '/parts/0', keyword: 'image', action: 'dropped' }))
  const losses: Loss[] = []
  for (let request = 0; request < 2; request++) convert([message, message], (loss) => losses.push(loss))
  const paths = ['/messages/0/parts/0', '/messages/1/parts/0']
  expect(losses.map(({ path }) => path)).toEqual([...paths, ...paths])
})
