import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMResponse } from '../../index.ts'
import { openaiChat } from './wire.ts'

const started = { index: 0, type: 'search', arguments: '{"query":"tea"}' }
const executed = { ...started, output: 'Tea.' }
const custom = { id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }

function streamed(...deltas: object[]): LMResponse {
  const decoder = openaiChat.streamDecoder()
  const events = [...deltas, {}].map((delta, index) => ({
    choices: [{ index: 0, delta, finish_reason: index === deltas.length ? 'stop' : null }],
  }))
  return collectDeltas([...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
}
const whole = (message: object) => openaiChat.decode({ choices: [{ message, finish_reason: 'stop' }] })

describe('a call that Groq executed', () => {
  const call = { type: 'search', by: 'provider', raw: executed }

  it("is a provider call, and not a call to the request's tools", () => {
    expect(whole({ content: 'x', executed_tools: [executed] })).toMatchObject({ toolCalls: [], providerCalls: [call] })
  })

  it('is returned once, as the stream describes it last', () => {
    expect(streamed({ executed_tools: [started] }, { executed_tools: [executed] }).providerCalls).toEqual([call])
  })

  it('may have any form, and never causes an exception', () => {
    for (const executed_tools of [null, {}, 'x', [null, 5, {}]]) whole({ executed_tools })
    expect(whole({ executed_tools: [{}] }).providerCalls).toMatchObject([{ type: 'executed_tool' }])
  })
})

describe('a call to a custom tool of OpenAI', () => {
  const call = { type: 'custom', by: 'client', id: 'c1', name: 'sql', raw: custom }

  it('is a call that the client must execute, with text as its input', () => {
    expect(whole({ content: null, tool_calls: [custom] })).toMatchObject({ toolCalls: [], providerCalls: [call] })
  })

  it('is joined from the pieces of a stream, together with other calls', () => {
    const { toolCalls, providerCalls } = streamed(
      { tool_calls: [{ index: 0, ...custom, custom: { name: 'sql', input: 'SELECT' } }] },
      { tool_calls: [{ index: 0, custom: { input: ' 1' } }] },
      { tool_calls: [{ index: 1, id: 'a', function: { name: 'look', arguments: '{}' } }] },
    )
    expect(providerCalls).toEqual([call])
    expect(toolCalls).toEqual([{ id: 'a', name: 'look', arguments: '{}' }])
  })
})
