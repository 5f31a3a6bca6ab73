import { textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { aTurn, onFakeClock } from '../../test/clock.ts'
import { hermes } from '../../test/hermes.ts'
import { getWeather, now, selection, setReminder } from '../../test/selector/selection.ts'
import { call } from '../../test/tools.ts'
import { multiToolSelector } from './multi-tool-selector.ts'
import { rememberToolLists, type SelectorTools } from './tool-list.ts'

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

  const registry = createRegistry([lazy('now', async () => now), fly], { name: 'app' })
  const source = { name: 'clock', tools: async () => [now] }

  it.each<[string, SelectorTools, readonly string[]]>([
    ['a registry', registry, ['now', 'fly']],
    ['a registry that is searched by its parent', createRegistry([], { parent: registry }), ['now', 'fly']],
    ['a source that lists its tools asynchronously', source, ['now']],
    ['a map of tools', new Map([['now', now]]), ['now']],
    [
      'a list of tools, sources and references',
      [fly, source, lazy('get_weather', async () => getWeather)],
      ['fly', 'now', 'get_weather'],
    ],
    ['a reference to a tool of a registry', [registry.tool('now')], ['now']],
    ['the same tool twice', [now, now], ['now']],
  ])('may be %s', async (_, given, names) => {
    const lm = scriptedLM([{ toolCalls: [call('now')] }])
    await multiToolSelector({ lm })('?', given)
    expect(lm.requests[0]?.tools?.map((spec) => spec.function.name)).toEqual(names)
  })

  it('are described once for a registry, and again after it changed', async () => {
    const growing = createRegistry([now])
    const lm = scriptedLM([{ text: 'None.' }, { text: 'None.' }, { text: 'None.' }])
    const select = multiToolSelector({ lm, tools: growing })
    await select('?')
    await select('?')
    growing.register(fly)
    await select('?')
    expect(lm.requests[1]?.tools).toBe(lm.requests[0]?.tools)
    expect(lm.requests[2]?.tools).toHaveLength(2)
  })

  it.each<[string, unknown, string]>([
    ['two tools of the same name', [now, { ...now, arguments: [] }], 'both use the name "now"'],
    ['an object', [{}], 'entry 0 must be a tool, a toolset or lazy(), got an object'],
    ['a bare name', ['web_search'], `got the string "web_search". Pass the tool itself, or registry.tool('web_search').`],
    ['an object of tools', { now }, 'or a list of tools, such as Object.values(tools), but is an object of another kind.'],
    ['a registry in a list', [registry], 'spread its references: ...registry.tools().'],
    [
      'a name in place of a list',
      'web_search',
      'tools must be a registry, a toolset, a map of tools or a list of tools, but is "web_search".',
    ],
  ])('are rejected with %s', async (_, given, words) => {
    await expect(multiToolSelector({ lm: scriptedLM([]) })('?', given as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(words),
    })
  })

  it('are rejected with the failures of a registry', async () => {
    const broken = createRegistry([lazy('web', () => Promise.reject(new Error('offline')))])
    await expect(multiToolSelector({ lm: scriptedLM([]) })('?', broken)).rejects.toMatchObject({
      name: 'ToolResolutionError',
      agent: 'multiToolSelector',
    })
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

it('aborts with its caller while its tools are loaded', async () => {
  const select = multiToolSelector({ lm: scriptedLM([]) })
  const caller = new AbortController()
  const source = { name: 'slow', tools: () => new Promise<never>(() => {}) }
  const selecting = select('?', source, { signal: caller.signal }).catch((error: unknown) => error)
  caller.abort('over')
  expect(await Promise.race([selecting, aTurn()])).toMatchObject({ code: 'aborted', cause: 'over' })
})

const fly = defineTool({ name: 'fly', description: 'Fly.', args: Type.Object({}), execute: () => 1 })
