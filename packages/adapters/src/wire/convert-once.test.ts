import { expect, it } from 'vitest'
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { byMessage } from './convert-once.ts'

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
