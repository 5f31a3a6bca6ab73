import { collectDeltas, type LM, type LMDelta, type LMResponse } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { describe, expect, it } from 'vitest'
import { withRescue } from './rescue.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', description: 'Weather.', parameters } }]
const messages = [{ role: 'user' as const, content: 'Oslo?' }]
const leaked = 'Look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'

const saying = (response: LMResponse): LM => ({
  generate: async () => response,
  async *stream() {
    for (const text of response.text.match(/[\s\S]{1,5}/g) ?? []) yield { type: 'text', text }
    for (const [index, { id, name, arguments: text }] of response.toolCalls.entries()) {
      yield { type: 'call_start', index, id, name }
      yield { type: 'arguments', index, text }
      yield { type: 'call_end', index }
    }
    if (response.finishReason !== undefined) yield { type: 'finish', finishReason: response.finishReason, rawFinishReason: 'end' }
    if (response.usage !== undefined) yield { type: 'usage', usage: response.usage }
  },
})

async function stream(lm: Required<LM>, request: Parameters<LM['generate']>[0]): Promise<LMResponse> {
  const deltas: LMDelta[] = []
  for await (const delta of lm.stream(request)) deltas.push(delta)
  return collectDeltas(deltas)
}

describe('withRescue', () => {
  it('finds a call that leaked into the text, complete or streamed', async () => {
    const lm = withRescue(saying({ text: leaked, toolCalls: [] }))
    const rescued = [{ name: 'get_weather', arguments: '{"city": "Oslo"}', tags: ['rescued'] }]
    expect(await lm.generate({ messages, tools })).toMatchObject({ text: 'Look.', toolCalls: rescued })
    expect(await stream(lm, { messages, tools })).toMatchObject({ text: leaked, toolCalls: rescued })
  })

  it('leaves a reply unchanged if it has calls, or if the request had no tools', async () => {
    const called = { text: leaked, toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{}' }] }
    expect(await withRescue(saying(called)).generate({ messages, tools })).toBe(called)
    expect((await stream(withRescue(saying(called)), { messages, tools })).toolCalls).toEqual(called.toolCalls)
    const lm = withRescue(saying({ text: leaked, toolCalls: [] }))
    expect((await lm.generate({ messages })).toolCalls).toEqual([])
    expect((await stream(lm, { messages })).toolCalls).toEqual([])
  })

  it('yields the calls of a stream before the finishReason, which becomes tool-calls', async () => {
    const lm = withRescue(saying({ text: leaked, toolCalls: [], finishReason: 'stop', usage: { outputTokens: 5 } }))
    const deltas: LMDelta[] = []
    for await (const delta of lm.stream({ messages, tools })) if (delta.type !== 'text') deltas.push(delta)
    expect(deltas.map(({ type }) => type)).toEqual(['call_start', 'arguments', 'call_end', 'finish', 'usage'])
    expect(deltas[3]).toEqual({ type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'end' })
    expect(await lm.generate({ messages, tools })).toMatchObject({ finishReason: 'tool-calls', usage: { outputTokens: 5 } })
  })

  it('leaves the end of a stream without calls unchanged', async () => {
    const response = { text: 'No.', toolCalls: [], finishReason: 'stop' as const, usage: { outputTokens: 5 } }
    expect(await stream(withRescue(saying(response)), { messages, tools })).toEqual({ ...response, rawFinishReason: 'end' })
  })

  it('looks only for the given dialects', async () => {
    const lm = withRescue(saying({ text: '{"name": "get_weather", "arguments": {"city": "Oslo"}}', toolCalls: [] }), {
      dialects: [hermes],
    })
    expect((await lm.generate({ messages, tools })).toolCalls).toEqual([])
  })
})
