import type { LMRequest } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { wholeModel } from '../../../test/ai-sdk/model.ts'
import { fromAISDK } from '../index.ts'

const messages = [{ role: 'user', content: 'Hi' }] as const
const closed = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false }
const open = { type: 'object', properties: { x: { type: 'number' } } }
const tool = (name: string, parameters: object) =>
  ({ type: 'function', function: { name, description: 'Looks.', parameters: { ...parameters } } }) as const

async function optionsOf(request: Omit<LMRequest, 'messages'>, version: 'v2' | 'v3' | 'v4' = 'v3') {
  const losses: unknown[] = []
  const model = wholeModel({ content: [] }, version)
  await fromAISDK(model, { onLoss: (loss) => losses.push(loss) }).generate({ messages, ...request })
  const { prompt, ...options } = model.calls[0] ?? {}
  return { options, losses }
}

describe('a request', () => {
  it('has no other options if it contains only messages', async () => {
    expect(await optionsOf({})).toEqual({ options: {}, losses: [] })
  })

  it('has all settings, the format of the reply, and the options of the providers', async () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 4,
      maxOutputTokens: 9,
      seed: 1,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    }
    const responseFormat = { type: 'json', schema: { type: 'object' }, name: 'reply', description: 'A reply.' } as const
    const providerOptions = { openai: { reasoningEffort: 'low' } }
    const { options, losses } = await optionsOf({ settings: { ...settings, stop: ['END'] }, responseFormat, providerOptions })
    expect(options).toEqual({ ...settings, stopSequences: ['END'], responseFormat, providerOptions })
    expect(losses).toEqual([])
  })

  it('reports options that belong to no provider, and data without a field', async () => {
    const { options, losses } = await optionsOf({
      tools: [tool('look', open)],
      parallelToolCalls: false,
      cache: ['tools'],
      providerOptions: { user: 'ada' },
    })
    expect(options.providerOptions).toEqual({})
    expect(losses).toMatchObject([
      { path: '/cache', keyword: 'cache', action: 'dropped' },
      { path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' },
      { path: '/providerOptions/user', keyword: 'user', action: 'dropped' },
    ])
  })

  it.each([
    ['off', 'none'],
    ['low', 'low'],
    ['high', 'high'],
  ] as const)('has the reasoning %s as %s, and reports it for a version without the option', async (reasoning, sent) => {
    expect(await optionsOf({ reasoning }, 'v4')).toEqual({ options: { reasoning: sent }, losses: [] })
    for (const version of ['v2', 'v3'] as const) {
      const { options, losses } = await optionsOf({ reasoning }, version)
      expect(options).toEqual({})
      expect(losses).toMatchObject([{ path: '/reasoning', action: 'dropped', note: expect.stringContaining('providerOptions') }])
    }
  })

  it('reports a budget for reasoning', async () => {
    const { options, losses } = await optionsOf({ reasoning: { tokens: 2_000 } }, 'v4')
    expect([options, losses]).toMatchObject([{}, [{ path: '/reasoning', action: 'dropped' }]])
  })

  it('has tools, and a choice only together with tools', async () => {
    const { options } = await optionsOf({ tools: [tool('look', open)], toolChoice: { name: 'look' } })
    expect(options).toEqual({
      tools: [{ type: 'function', name: 'look', description: 'Looks.', inputSchema: open }],
      toolChoice: { type: 'tool', toolName: 'look' },
    })
    expect((await optionsOf({ tools: [tool('look', open)], toolChoice: 'required' })).options.toolChoice).toEqual({
      type: 'required',
    })
    expect((await optionsOf({ tools: [], toolChoice: 'required' })).options).toEqual({})
  })

  it('sets strict mode only if every strict mode accepts the schema, and reports the other tools', async () => {
    const nested = { ...closed, properties: { x: open } }
    const tools = [tool('a', closed), tool('b', open), tool('c', nested)]
    const { options, losses } = await optionsOf({ tools, strictTools: true })
    expect((options.tools as { strict?: boolean }[]).map(({ strict }) => strict)).toEqual([true, undefined, undefined])
    expect(losses).toEqual([
      { path: '', keyword: 'strict', action: 'refused', tool: 'b' },
      { path: '', keyword: 'strict', action: 'refused', tool: 'c' },
    ])
    const { options: older } = await optionsOf({ tools: [tool('a', closed)], strictTools: true }, 'v2')
    expect(older.tools).not.toHaveProperty('0.strict')
  })
})
