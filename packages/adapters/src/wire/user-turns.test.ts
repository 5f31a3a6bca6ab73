import { describe, expect, it } from 'vitest'
import type { Message } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { mergeTurns } from './user-turns.ts'

const user = (content: string): Message => ({ role: 'user', content })
const answer = (content: string): Message => ({ role: 'assistant', content })
const result = (content: string): Message => ({ role: 'tool', callId: content, name: 'search', content })
const system = (content: string): Message => ({ role: 'system', content })

function merge(messages: readonly Message[]) {
  const losses: Loss[] = []
  const toBlocks = ({ content }: Message) => (content === '' ? [] : [content])
  return { ...mergeTurns(messages, toBlocks, (loss) => losses.push(loss)), losses }
}

describe('mergeTurns', () => {
  it('merges consecutive messages of the same role into one turn', () => {
    expect(merge([user('a'), user('b'), answer('c'), answer('d'), user('e')]).turns).toEqual([
      { role: 'user', blocks: ['a', 'b'] },
      { role: 'assistant', blocks: ['c', 'd'] },
      { role: 'user', blocks: ['e'] },
    ])
  })

  it('puts results before the other content of a user turn, and keeps the order otherwise', () => {
    const messages = [user('q'), answer('c'), user('a'), result('1'), user('b'), result('2')]
    expect(merge(messages).turns.at(-1)).toEqual({ role: 'user', blocks: ['1', '2', 'a', 'b'] })
  })

  it('omits a message without blocks, so that its neighbors are merged, and reports an empty one', () => {
    expect(merge([user('a'), answer(''), user('b'), user('')])).toEqual({
      system: [],
      turns: [{ role: 'user', blocks: ['a', 'b'] }],
      losses: [1, 3].map((index) => ({
        ...{ path: `/messages/${index}`, keyword: 'content', action: 'dropped' },
        note: 'an empty message, which this API rejects',
      })),
    })
  })

  it('returns leading system messages separately, without blank text', () => {
    expect(merge([system('s'), system(' \n'), system('t'), user('a')])).toEqual({
      system: ['s', 't'],
      turns: [{ role: 'user', blocks: ['a'] }],
      losses: [],
    })
  })

  it('sends a later system message as user text in the same position, and reports it', () => {
    const { turns, losses } = merge([user('a'), answer('b'), system('s')])
    expect(turns.at(-1)).toEqual({ role: 'user', blocks: ['s'] })
    expect(losses).toMatchObject([{ path: '/messages/2/role', keyword: 'system', action: 'dropped' }])
  })

  it('has no turns if there are only system messages', () => {
    expect(merge([system('s')])).toEqual({ system: ['s'], turns: [], losses: [] })
  })
})
