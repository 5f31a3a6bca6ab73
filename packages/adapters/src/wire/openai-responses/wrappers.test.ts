import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMRequest, type LMResponse } from '../../index.ts'
import { openaiChat } from '../openai-chat/wire.ts'
import { openaiResponses } from './wire.ts'

const tool = (name: string) =>
  ({ type: 'function', function: { name, description: 'Does.', parameters: { type: 'object' } } }) as const
const request: LMRequest = { messages: [], tools: [tool('weather'), tool('sights')] }
const uses = (...tool_uses: unknown[]) => JSON.stringify({ tool_uses })
const use = (name: string, parameters: unknown) => ({ recipient_name: `functions.${name}`, parameters })
const both = uses(use('weather', { city: 'Rome' }), use('sights', {}))

const item = (name: string, args: string, call_id = 'p') => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: args,
})

function whole(items: readonly object[], given: LMRequest | undefined = request): LMResponse {
  return openaiResponses.decode({ status: 'completed', output: items }, given)
}
function streamed(items: readonly object[], given: LMRequest | undefined = request): LMResponse {
  const decoder = openaiResponses.streamDecoder(given)
  const events = items.flatMap((one, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...one, arguments: '' } },
    { type: 'response.output_item.done', output_index, item: one },
  ])
  const end = { type: 'response.completed', response: { status: 'completed' } }
  return collectDeltas([...[...events, end].flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
}
const callsOf = ({ toolCalls }: LMResponse) => toolCalls.map(({ id, name, arguments: args }) => [id, name, args])

describe('a call that contains calls (pitfall 12)', () => {
  it('pitfall 12: is replaced by those calls, in order with the others', () => {
    const items = [item('weather', '{}', 'a'), item('multi_tool_use.parallel', both), item('sights', '{}', 'b')]
    const expected = [
      ['a', 'weather', '{}'],
      ['p_0', 'weather', '{"city":"Rome"}'],
      ['p_1', 'sights', '{}'],
      ['b', 'sights', '{}'],
    ]
    expect(callsOf(whole(items))).toEqual(expected)
    expect(callsOf(streamed(items))).toEqual(expected)
  })

  it('pitfall 12: is sent back as the calls that it contained', () => {
    const { toolCalls, metadata } = whole([{ type: 'reasoning', id: 'r', encrypted_content: 'x' }, item('parallel', both)])
    const messages = [{ role: 'assistant', content: '', toolCalls, metadata } as const]
    expect(openaiResponses.encode({ ...request, messages }, 'm').input).toMatchObject([
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'p_0', name: 'weather' },
      { type: 'function_call', call_id: 'p_1', name: 'sights' },
    ])
  })

  it('pitfall 12: is unchanged if it contains anything but calls to the tools', () => {
    const texts = [
      uses(),
      uses(use('weather', {}), use('rm', {})),
      uses(use('weather', 'x')),
      uses({ parameters: {} }),
      '{"tool_uses":',
      '{}',
      '[]',
      'null',
    ]
    for (const text of texts) {
      expect(callsOf(whole([item('parallel', text)])), text).toEqual([['p', 'parallel', text]])
      expect(callsOf(streamed([item('parallel', text)])), text).toEqual([['p', 'parallel', text]])
    }
  })

  it('pitfall 12: is unchanged if the request has a tool with its name, or if there is no request', () => {
    const own = { messages: [], tools: [tool('parallel'), tool('weather'), tool('sights')] }
    for (const given of [own, undefined])
      expect(openaiResponses.decode({ output: [item('parallel', both)] }, given).toolCalls).toMatchObject([{ name: 'parallel' }])
  })

  it('must not be executed if it was truncated', () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [item('parallel', both)] }
    expect(openaiResponses.decode(cut, request).toolCalls).toMatchObject([{ name: 'parallel', truncated: true }])
  })

  it('pitfall 4: is replaced by calls with unique ids', () => {
    const items = [item('weather', '{}', 'p_0'), item('parallel', both)]
    const ids = (response: LMResponse) => response.toolCalls.map(({ id }) => id)
    expect(ids(whole(items))).toEqual(['p_0', 'p_0_1', 'p_1'])
    expect(ids(streamed(items))).toEqual(['p_0', 'p_0_1', 'p_1'])
  })

  it('pitfall 12: is also unwrapped in Chat Completions', () => {
    const wrapper = { id: 'p', type: 'function', function: { name: 'multi_tool_use.parallel', arguments: both } }
    const reply = { choices: [{ message: { content: null, tool_calls: [wrapper] }, finish_reason: 'tool_calls' }] }
    expect(callsOf(openaiChat.decode(reply, request))).toEqual([
      ['p_0', 'weather', '{"city":"Rome"}'],
      ['p_1', 'sights', '{}'],
    ])
  })
})
