import { type Message, nativeAdapter, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import type { Trajectory } from './result.ts'

const weatherTurns = (id: string, city: string) => [{ toolCalls: [call('get_weather', { city }, id)] }, { text: 'It is 21 °C.' }]

describe('a run with a history', () => {
  it('sees the earlier messages, and includes them in its trajectory', async () => {
    const lm = scriptedLM([...weatherTurns('c1', 'Oslo'), { text: 'As in Oslo.' }])
    await using agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    const first = await agent.run({ question: 'How warm is it in Oslo?' })
    const before = structuredClone(first.trajectory)
    const second = await agent.run({ question: 'And there?' }, { history: first.trajectory })
    const expected = [...before.messages, { role: 'user', content: 'And there?' }]
    expect(lm.requests[2]?.messages.slice(1)).toEqual(expected)
    expect(second.trajectory.messages).toEqual([...expected, { role: 'assistant', content: 'As in Oslo.' }])
    expect(first.trajectory).toEqual(before)
  })

  it("gives its calls ids that the earlier run didn't use", async () => {
    const lm = scriptedLM([...weatherTurns('c1', 'Oslo'), ...weatherTurns('c1', 'Rome')])
    await using agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    const { trajectory } = await agent.run({ question: 'Oslo?' })
    const { trajectory: whole } = await agent.run({ question: 'Rome?' }, { history: trajectory })
    const ids = whole.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
    expect(ids).toEqual(['c1', 'c1_1'])
  })

  it('continues a native trajectory in text mode', async () => {
    const lm = scriptedLM(weatherTurns('c1', 'Oslo'))
    await using native = await createReactAgent({ lm, tools: [getWeather], signature: answer, adapter: nativeAdapter })
    const { trajectory } = await native.run({ question: 'Oslo?' })
    const { name: observed, content } = trajectory.messages[2] as { name: string; content: string }
    const textLM = scriptedLM([{ text: '<tool_call>{"name":"finish","arguments":{}}</tool_call>' }, { text: 'As before.' }])
    await using text = await createReactAgent({
      lm: textLM,
      tools: [getWeather],
      signature: answer,
      adapter: textAdapter(hermes),
    })
    const { outputs } = await text.run({ question: 'And now?' }, { history: trajectory })
    expect(outputs).toEqual({ answer: 'As before.' })
    expect(textLM.requests[0]?.messages.slice(1, 6)).toEqual([
      { role: 'user', content: 'Oslo?' },
      { role: 'assistant', content: '<tool_call>\n{"name": "get_weather", "arguments": {"city":"Oslo"}}\n</tool_call>' },
      { role: 'user', content: hermes.formatResult({ callId: 'c1', name: observed, ok: true, text: content }) },
      { role: 'assistant', content: 'It is 21 °C.' },
      { role: 'user', content: 'And now?' },
    ])
  })

  it("doesn't offer the rest of a long result of the earlier run", async () => {
    const page = call('read_result', { call: 'c1', offset: 100 }, 'p1')
    const long = { ...getWeather, execute: () => 'x'.repeat(250) }
    const lm = scriptedLM([
      { toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')] },
      { toolCalls: [page] },
      { text: 'A' },
      { text: 'B' },
    ])
    await using agent = await createReactAgent({ lm, tools: [long], signature: answer, maxResultLength: 100 })
    const { trajectory } = await agent.run({ question: '1' })
    const run = agent.run({ question: '2' }, { history: trajectory })
    const repaired: unknown[] = []
    for await (const event of run.stream()) if (event.type === 'history_repaired') repaired.push(...event.repairs)
    const sent = JSON.stringify(lm.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'))
    expect(sent).not.toContain('to read more')
    expect(sent).toContain('[characters 0 to 100 of 250; the rest is no longer available]')
    expect(sent).toContain('[characters 100 to 200 of 250; the rest is no longer available]')
    expect(repaired).toEqual(['c1', 'p1'].map((id) => `the rest of the long result of the call "${id}" is no longer available`))
    // The history is repaired only once.
    const { trajectory: second } = await run
    const again = agent.run({ question: '3' }, { history: second })
    again.catch(() => {})
    for await (const event of again.stream()) {
      expect(event.type).not.toBe('history_repaired')
      if (event.type === 'model_started') break
    }
  })

  it("rejects a value that isn't a trajectory", async () => {
    await using agent = await createReactAgent({ lm: scriptedLM([]), tools: [], signature: answer })
    for (const after of [{ version: 2, messages: [] }, {}, null] as unknown as Trajectory[])
      await expect(agent.run({ question: '?' }, { history: after })).rejects.toMatchObject({ code: 'invalid_options' })
  })

  const user = { role: 'user', content: 'Oslo?' }
  const asked = { role: 'assistant', content: '', toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')] }
  const result = { role: 'tool', callId: 'c1', name: 'get_weather', content: '21' }

  const brokenImage = { type: 'image', mediaType: 'image/png', source: { base64: 'no base64' } }

  it.each([
    ['a message that is null', [null], 'message 0 is null'],
    ['a system message', [user, { role: 'system', content: 'Obey.' }], 'message 1 has the role "system"; .*instructions'],
    ['an unknown role', [{ role: 'model', content: 'Hi.' }], 'message 0 has the role "model", but must'],
    ['a message without a role', [{ content: 'Hi.' }], 'message 0 has the role undefined, but must'],
    [
      'a message in parts',
      [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
      'message 0 must have a string as `content`',
    ],
    ['parts that are text', [{ ...user, parts: 'Hi.' }], 'message 0 must have a list of content parts as `parts`'],
    [
      'a part of an unknown type',
      [user, asked, { ...result, parts: [{ type: 'image' }] }],
      'message 2 must have a list of content',
    ],
    ['an image without valid data', [{ ...user, parts: [brokenImage] }], 'message 0 must have a list of content parts'],
    ['a result without the id of its call', [user, { role: 'tool', content: '21' }], 'message 1 must have the `callId`'],
    ['an invalid call', [user, { ...asked, toolCalls: [{ id: 'c1' }] }], 'message 1 must have a list of .* as `toolCalls`'],
  ])('rejects a history with %s, and says why', async (_, messages, reason) => {
    await using agent = await createReactAgent({ lm: scriptedLM([]), tools: [], signature: answer })
    const refused = { code: 'invalid_options', message: expect.stringMatching(`: ${reason}`) }
    for (const history of [{ version: 1, messages }, messages] as unknown as Trajectory[])
      await expect(agent.run({ question: '?' }, { history })).rejects.toMatchObject(refused)
  })

  const noResult = {
    role: 'tool',
    callId: 'c1',
    name: 'get_weather',
    isError: true,
    content: expect.stringContaining('No result'),
  }

  it('leaves a result with an image as it is, whatever its text', async () => {
    const image = { type: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } } as const
    const shown = { ...result, content: 'A cat.', parts: [{ type: 'text', text: 'Photo' }, image] }
    const lm = scriptedLM([{ text: 'Yes.' }])
    await using agent = await createReactAgent({ lm, tools: [], signature: answer })
    const { trajectory } = await agent.run({ question: '?' }, { history: [user, asked, shown] as readonly Message[] })
    expect(trajectory.messages[2]).toEqual(shown)
  })

  it.each([
    ['a call without its result', [user, asked], [user, asked, noResult], ['the call "c1" had no result']],
    [
      'a message between call and result',
      [user, asked, user, result],
      [user, asked, noResult, user],
      ['the call "c1" had no result', 'the result of the call "c1" had no call before it'],
    ],
    ['a result without its call', [user, result], [user], ['the result of the call "c1" had no call before it']],
    [
      'a duplicate result',
      [user, asked, result, result],
      [user, asked, result],
      ['the result of the call "c1" had no call before it'],
    ],
    [
      'ids that restart in every turn',
      [user, asked, result, asked, result],
      [
        user,
        asked,
        result,
        { ...asked, toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1_2')] },
        { ...result, callId: 'c1_2' },
      ],
      ['the call "c1" was renamed to "c1_2", because its id was already in use'],
    ],
    [
      'a duplicate call in a turn',
      [user, { ...asked, toolCalls: [...asked.toolCalls, ...asked.toolCalls] }, result],
      [user, asked, result],
      ['the call "c1" appeared twice in a turn'],
    ],
  ])('T4-26: repairs a history with %s, and reports it', async (_, messages, expected, repairs) => {
    const lm = scriptedLM([{ text: 'Yes.' }])
    await using agent = await createReactAgent({ lm, tools: [], signature: answer })
    const run = agent.run({ question: '?' }, { history: messages as readonly Message[] })
    const repaired: unknown[] = []
    for await (const event of run.stream()) if (event.type === 'history_repaired') repaired.push(...event.repairs)
    expect(lm.requests[0]?.messages.slice(1)).toEqual([...expected, { role: 'user', content: '?' }])
    expect(repaired).toEqual(repairs)
  })
})
