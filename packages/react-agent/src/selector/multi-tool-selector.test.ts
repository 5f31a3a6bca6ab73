import { textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { onFakeClock } from '../../test/clock.ts'
import { hermes } from '../../test/hermes.ts'
import { getWeather, now, selection, setReminder } from '../../test/selector/selection.ts'
import { call } from '../../test/tools.ts'
import { multiToolSelector } from './multi-tool-selector.ts'
import { rememberToolLists } from './tool-list.ts'

const tools = [getWeather, setReminder, now]

describe('native mode', () => {
  it('T3-20: sends the tools in the request, and returns the text as the reasoning', async () => {
    const lm = scriptedLM([{ text: 'Look it up.', toolCalls: [call('get_weather', { city: 'Oslo' }, 'a')] }])
    expect(await multiToolSelector({ lm })('Umbrella?', tools)).toEqual({
      reasoning: 'Look it up.',
      toolCalls: [{ id: 'a', name: 'get_weather', args: { city: 'Oslo' } }],
      rejected: [],
      recovered: [],
    })
    expect(lm.requests[0]?.tools?.map((spec) => spec.function.name)).toEqual(['get_weather', 'set_reminder', 'now'])
  })

  it("returns the model's own reasoning when there is no text besides its calls", async () => {
    const lm = scriptedLM([{ reasoning: 'It may rain.', toolCalls: [call('now')] }])
    expect((await multiToolSelector({ lm })('?', tools)).reasoning).toBe('It may rain.')
  })

  it('T3-17: selects nothing, with or without reasoning', async () => {
    const lm = scriptedLM([{ text: 'Nothing to do.' }, { text: 'Nothing.' }])
    expect(await multiToolSelector({ lm })('Hello', tools)).toMatchObject({ reasoning: 'Nothing to do.', toolCalls: [] })
    expect(await multiToolSelector({ lm, reasoning: false })('Hello', tools)).toMatchObject({ reasoning: '', toolCalls: [] })
  })

  it('T3-17: selects one tool twice, and rejects an unknown one', async () => {
    const lm = scriptedLM([{ toolCalls: [call('now', {}, 'a'), call('now', {}, 'b'), call('fly', {}, 'c')] }])
    const { toolCalls, rejected } = await multiToolSelector({ lm })('?', tools)
    expect(toolCalls.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(rejected).toMatchObject([
      { name: 'fly', code: 'unknown_tool', message: expect.stringContaining('Tools: get_weather') },
    ])
  })

  it('T3-18: rejects malformed arguments without asking again, and keeps the other calls', async () => {
    const lm = scriptedLM([{ toolCalls: [call('get_weather', '{"city": }', 'a'), call('now', '', 'b')] }])
    const { toolCalls, rejected, recovered } = await multiToolSelector({ lm })('?', tools)
    expect(toolCalls).toEqual([{ id: 'b', name: 'now', args: {} }])
    expect(rejected).toMatchObject([{ name: 'get_weather', code: 'invalid_tool_call_arguments', raw: '{"city": }' }])
    expect(recovered).toEqual([{ callId: 'b', tags: ['empty'] }])
    lm.assertDone()
  })

  it('T3-18: rejects a malformed call', async () => {
    const lm = scriptedLM([{ text: 'So: <tool_call>{"name": "now", "argum' }])
    const select = multiToolSelector({ lm, adapter: textAdapter(hermes) })
    expect(await select('?', tools)).toMatchObject({ toolCalls: [], rejected: [{ name: '', code: 'invalid_tool_call' }] })
  })

  it('T3-19: rejects invalid arguments', async () => {
    const lm = scriptedLM([{ toolCalls: [call('get_weather', { town: 'Oslo' })] }])
    const { rejected } = await multiToolSelector({ lm })('?', tools)
    expect(rejected[0]?.message).toBe('Invalid arguments for "get_weather": /town is not declared (declared: city, days).')
  })

  it('asks for a single call when maxTools is 1', async () => {
    const lm = scriptedLM([{ text: 'None.' }])
    await multiToolSelector({ lm, maxTools: 1 })('?', tools)
    expect(lm.requests[0]).toMatchObject({ parallelToolCalls: false, toolChoice: 'auto' })
  })

  it("uses a tool's own validator", async () => {
    const parse = () => ({ issues: [{ path: '/city', keyword: 'custom', message: 'must be in Norway' }] })
    const norwegian = Object.freeze({ ...getWeather, arguments: getWeather.arguments, parse })
    const lm = scriptedLM([{ toolCalls: [call('get_weather', { city: 'Rome' })] }])
    const { rejected } = await multiToolSelector({ lm })('?', [norwegian])
    expect(rejected[0]?.message).toBe('Invalid arguments for "get_weather": /city must be in Norway.')
  })
})

describe('lists of tools', () => {
  it("T3-21: don't constrain each other, in either mode", async () => {
    for (const mode of ['native', 'text'] as const) {
      const reply = (name: string) => ({ ...selection(name, { [name]: {} }), toolCalls: mode === 'native' ? [call(name)] : [] })
      const lm = scriptedLM([reply('now'), reply('fly'), reply('fly')])
      const select = multiToolSelector({ lm, mode })
      expect((await select('?', [now])).toolCalls).toMatchObject([{ name: 'now' }])
      expect((await select('?', [fly])).toolCalls).toMatchObject([{ name: 'fly' }])
      expect((await select('?', [now])).rejected).toMatchObject([{ name: 'fly', code: 'unknown_tool' }])
    }
  })

  it('3.34: are described once, even in another array', () => {
    const toList = rememberToolLists()
    const list = toList(tools)
    expect(toList([...tools])).toBe(list)
    expect(toList([now])).not.toBe(list)
    expect(toList(tools)).toBe(list)
  })

  it('3.34: are described again for another tool with the same name', () => {
    const toList = rememberToolLists()
    const other = defineTool({ name: 'now', description: 'Another clock.', args: Type.Object({}), execute: () => 1 })
    expect(toList([now]).described).toBe('now: The time.')
    expect(toList([other]).described).toBe('now: Another clock.')
  })

  it('are read again when the caller changes them', () => {
    const toList = rememberToolLists()
    const growing = [now, fly]
    const before = toList(growing)
    growing.pop()
    expect(toList(growing)).not.toBe(before)
  })

  it('show a description with several lines on one line', () => {
    const tool = defineTool({ name: 'a', description: 'One.\n\n  Two. ', args: Type.Object({}), execute: () => 1 })
    expect(rememberToolLists()([tool]).described).toBe('a: One. Two.')
  })

  it('T3-22: cause no model call when they are empty', async () => {
    expect(await multiToolSelector({ lm: scriptedLM([]) })('?', [])).toMatchObject({ toolCalls: [], rejected: [] })
  })

  it('default to the tools of the selector', async () => {
    const lm = scriptedLM([{ toolCalls: [call('now')] }])
    expect((await multiToolSelector({ lm, tools: [now] })('?')).toolCalls).toMatchObject([{ name: 'now' }])
    await expect(multiToolSelector({ lm })('?')).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it('are rejected with how to pass the tools of a registry', async () => {
    const registry = { resolve: async () => new Map() } as never
    await expect(multiToolSelector({ lm: scriptedLM([]) })('?', registry)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('[...(await registry.resolve()).values()]'),
    })
  })

  it('are rejected with two tools of the same name, or with anything but tools', async () => {
    const select = multiToolSelector({ lm: scriptedLM([]) })
    await expect(select('?', [now, now])).rejects.toThrow('there is already a tool named "now"')
    await expect(select('?', [{} as never])).rejects.toThrow('tool 0: this is not a tool')
  })
})

it.each([
  [{ mode: 'both' }, 'mode'],
  [{ maxTools: 0 }, 'maxTools'],
  [{ maxRepairs: Number.NaN }, 'maxRepairs'],
  [{ modelTimeoutMs: 0 }, 'modelTimeoutMs'],
  [{ adapter: {} }, 'adapter'],
  [{ lm: {} }, 'lm'],
])('rejects an invalid option: %j', (options, option) => {
  expect(() => multiToolSelector({ lm: scriptedLM([]), ...(options as object) })).toThrow(`multiToolSelector: ${option} must be`)
})

it('rejects when the model times out', async () => {
  const select = multiToolSelector({ lm: { generate: () => new Promise(() => {}) }, modelTimeoutMs: 10 })
  const selecting = onFakeClock(() => select('?', tools))
  await expect(selecting).rejects.toMatchObject({ code: 'model_failed', message: expect.stringContaining('10 ms') })
})

it('aborts with its caller', async () => {
  const select = multiToolSelector({ lm: scriptedLM([{ text: 'x' }]) })
  await expect(select('?', tools, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
})

const fly = defineTool({ name: 'fly', description: 'Fly.', args: Type.Object({}), execute: () => 1 })
