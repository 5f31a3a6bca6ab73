/** Tests relays that change the id of a call in each fragment, and hosts that list their own tools among the calls. */
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMResponse } from '../../index.ts'
import { openaiChat } from './wire.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const part = (fragment: object) => chunk({ tool_calls: [fragment] })
const body = (text: string, name?: string) => ({ function: { arguments: text, ...(name !== undefined && { name }) } })

function read(...events: unknown[]): LMResponse {
  const decoder = openaiChat.streamDecoder()
  const all = [...events, chunk({}, 'tool_calls')]
  return collectDeltas([...all.flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
}
const callsOf = (...events: unknown[]) => read(...events).toolCalls.map((call) => [call.id, call.name, call.arguments])

describe('a call whose id changes in each fragment', () => {
  const pieces = ['{"a":', '{"b":1}', ',"c":"', '{', '"}']
  const whole = pieces.join('')

  it('is a single call by its index, even if each fragment repeats the name', () => {
    const events = pieces.map((text, number) => part({ index: 0, id: `id_${number}`, ...body(text, 'look') }))
    expect(callsOf(...events)).toEqual([['id_0', 'look', whole]])
  })

  it('is a single call without an index', () => {
    const events = pieces.map((text, number) => part({ id: `id_${number}`, ...body(text, number === 0 ? 'look' : undefined) }))
    expect(callsOf(...events)).toEqual([['id_0', 'look', whole]])
  })

  it('is a new call if its arguments start after complete ones, or if its name differs', () => {
    const first = part({ index: 0, id: 'a', ...body('{"x":1}', 'look') })
    expect(callsOf(first, part({ index: 0, id: 'b', ...body('{"x":2}', 'look') }))).toHaveLength(2)
    expect(callsOf(first, part({ index: 0, id: 'b', ...body('', 'look') }))).toHaveLength(2)
    const begun = part({ index: 0, id: 'a', ...body('{"x"', 'look') })
    expect(callsOf(begun, part({ index: 0, id: 'b', ...body('{}', 'open') }))).toHaveLength(2)
  })
})

describe("a call to a host's tool in the list of calls", () => {
  const entry = { id: 'h', type: 'web_browser', web_browser: { input: 'tea', outputs: [{ title: 'Tea' }] } }
  const call = { type: 'web_browser', by: 'provider', id: 'h', raw: entry }
  const own = { id: 'a', type: 'function', ...body('{}', 'look') }

  it("is a provider call, separate from calls to the request's tools", () => {
    const whole = openaiChat.decode({ choices: [{ message: { tool_calls: [entry, own] }, finish_reason: 'tool_calls' }] })
    expect(whole).toMatchObject({ toolCalls: [{ id: 'a', name: 'look' }], providerCalls: [call] })
    const streamed = read(
      chunk({
        tool_calls: [
          { index: 0, ...entry },
          { index: 1, ...own },
        ],
      }),
    )
    expect(streamed).toMatchObject({ toolCalls: [{ id: 'a', name: 'look' }], providerCalls: [call] })
  })

  it('may arrive in pieces with the same index', () => {
    const piece = (web_browser: object) => part({ index: 0, id: 'h', type: 'web_browser', web_browser })
    const events = [piece({ input: 't' }), piece({ input: 'ea' }), piece({ outputs: [{ title: 'Tea' }] })]
    expect(read(...events)).toMatchObject({ toolCalls: [], providerCalls: [call] })
  })

  it('may have no body', () => {
    const bare = { id: 'h', type: 'web_search' }
    expect(read(part({ index: 0, ...bare }))).toMatchObject({ toolCalls: [], providerCalls: [{ type: 'web_search', raw: bare }] })
  })

  it('may have any form, and never causes an exception', () => {
    for (const type of ['__proto__', 'toString', 5, null]) read(part({ type, ['__proto__']: { x: 1 }, toString: {} }))
    expect('x' in {}).toBe(false)
  })
})
