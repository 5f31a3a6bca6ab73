import { describe, expect, it } from 'vitest'
import type { LMRequest } from '../protocol/protocol.ts'
import { CallIds } from './call-ids.ts'

const request: LMRequest = {
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
  ],
}

describe('CallIds', () => {
  it("keeps the provider's id", () => {
    expect(new CallIds().take('call_abc')).toBe('call_abc')
  })

  it('pitfall 4: generates an id if it is missing, empty, or taken by another call', () => {
    const ids = new CallIds()
    const taken = [ids.take(undefined), ids.take(''), ids.take('a'), ids.take('a'), ids.take(undefined)]
    expect(new Set(taken).size).toBe(5)
    expect(taken[2]).toBe('a')
  })

  it('generates no id that a provider has used before', () => {
    const ids = new CallIds()
    expect(ids.take('call_1')).toBe('call_1')
    expect(ids.take(undefined)).not.toBe('call_1')
  })

  it('generates different ids in a later turn of the same conversation', () => {
    const first = new CallIds(request).take(undefined)
    const messages = [...request.messages, { role: 'assistant', content: '', toolCalls: [] } as const]
    expect(new CallIds({ messages }).take(undefined)).not.toBe(first)
  })

  it('pitfall 4: replaces an id that an earlier call of the conversation has', () => {
    const toolCalls = [
      { id: 'call_0', name: 'search', arguments: '{}' },
      { id: 'call_3_0', name: 'search', arguments: '{}' },
    ]
    const ids = new CallIds({ messages: [...request.messages, { role: 'assistant', content: '', toolCalls }] })
    const taken = [ids.take('call_0'), ids.take(undefined)]
    expect(new Set([...toolCalls.map(({ id }) => id), ...taken]).size).toBe(4)
  })

  it('generates the same ids for the same reply', () => {
    expect(new CallIds(request).take(undefined)).toBe(new CallIds(request).take(undefined))
  })
})
