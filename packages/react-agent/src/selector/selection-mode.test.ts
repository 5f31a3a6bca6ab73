import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { getWeather, now, selection, setReminder } from '../../test/selector/selection.ts'
import { multiToolSelector } from './multi-tool-selector.ts'

const tools = [getWeather, setReminder, now]

/** Returns the decision for one reply. */
function decide(selectedTools: string, toolArguments: string | object = '', finishReason?: 'stop') {
  const lm = scriptedLM([{ ...selection(selectedTools, toolArguments), finishReason }])
  return multiToolSelector({ lm, mode: 'text' })('What to do?', tools)
}

const oslo = { city: 'Oslo' }

describe('the prompt of text mode', () => {
  it('T3-4: contains a line per tool, with its arguments, their types and descriptions', async () => {
    const lm = scriptedLM([selection('none')])
    await multiToolSelector({ lm, mode: 'text' })('Do I need an umbrella?', tools)
    const [system, user] = lm.requests[0]?.messages ?? []
    expect(user?.content).toBe(
      [
        '[[ ## request ## ]]\nDo I need an umbrella?\n',
        '[[ ## available_tools ## ]]',
        'get_weather: Current weather for a city. Arguments: [city: string - City name, days: integer - How many days (optional)]',
        'set_reminder: Set a reminder. Arguments: [title: string, loud: boolean (optional)]',
        'now: The time.',
      ].join('\n'),
    )
    expect(system?.content).toBe(
      [
        'Select appropriate tools based on user request.\n',
        'Inputs:',
        "- request: The user's request",
        '- available_tools: Available tools with descriptions in format: tool_name: description\n',
        'Write each part of your reply under its marker. The line below a marker shows the type and the description. Write the value in its place:',
        '[[ ## reasoning ## ]]\n(string) Step-by-step reasoning about which tools to use and why',
        '[[ ## selected_tools ## ]]\n(string) Comma-separated list of selected tool names',
        '[[ ## tool_arguments ## ]]\n(string) JSON object mapping tool names to their arguments',
      ].join('\n'),
    )
    expect(lm.requests[0]).not.toHaveProperty('tools')
  })

  it("T3-20: doesn't ask for reasons with reasoning: false", async () => {
    const lm = scriptedLM([selection('now', '{}', '')])
    const decision = await multiToolSelector({ lm, mode: 'text', reasoning: false })('What time is it?', tools)
    expect(lm.requests[0]?.messages[0]?.content).not.toContain('reasoning')
    expect(decision).toMatchObject({ reasoning: '', toolCalls: [{ name: 'now' }] })
  })
})

describe('selected names', () => {
  it('T3-17: select one tool', async () => {
    expect(await decide('get_weather', { get_weather: oslo })).toEqual({
      reasoning: 'Because.',
      toolCalls: [{ id: 'call_1', name: 'get_weather', args: oslo }],
      rejected: [],
      recovered: [],
    })
  })

  it('T3-17: select several tools in order, with {} for missing arguments', async () => {
    const { toolCalls, rejected } = await decide('now, get_weather', { get_weather: oslo })
    expect(toolCalls).toEqual([
      { id: 'call_1', name: 'now', args: {} },
      { id: 'call_2', name: 'get_weather', args: oslo },
    ])
    expect(rejected).toEqual([])
  })

  it.each(['', 'none', '"none"', 'None.', '[]', 'N/A', '`null`', 'no tools'])('T3-17: select nothing: %j', async (names) => {
    expect(await decide(names, '{}')).toMatchObject({ toolCalls: [], rejected: [] })
  })

  it.each([
    'get_weather,',
    '"get_weather"',
    '`get_weather`',
    "['get_weather']",
    '[get_weather, ]',
    '- get_weather',
    '1. **get_weather**',
    'get_weather()',
    'get_weather.',
    '“get_weather”',
    'get_weather;',
  ])('T3-17: are found without their decoration: %j', async (names) => {
    const { toolCalls, rejected } = await decide(names, { get_weather: oslo })
    expect(toolCalls).toMatchObject([{ name: 'get_weather', args: oslo }])
    expect(rejected).toEqual([])
  })

  it('T3-17: select one tool twice with a list of arguments', async () => {
    const { toolCalls, rejected } = await decide('get_weather', { get_weather: [oslo, { city: 'Bergen' }] })
    expect(toolCalls.map(({ id, args }) => [id, args.city])).toEqual([
      ['call_1', 'Oslo'],
      ['call_2', 'Bergen'],
    ])
    expect(rejected).toEqual([])
  })

  it('T3-17: may repeat a name with two sets of arguments', async () => {
    const { toolCalls, rejected } = await decide('get_weather, get_weather', { get_weather: [oslo, { city: 'Bergen' }] })
    expect([toolCalls.length, rejected.length]).toEqual([2, 0])
  })

  it('T3-17: call a repeated name once if it has one set of arguments, and report it', async () => {
    const { toolCalls, rejected } = await decide('get_weather, get_weather', { get_weather: oslo })
    expect(toolCalls).toHaveLength(1)
    expect(rejected).toMatchObject([{ name: 'get_weather', code: 'repeated' }])
  })

  it('T3-17: are rejected with the nearest name if unknown, and the others are kept', async () => {
    const { toolCalls, rejected } = await decide('getWeather, now', { getWeather: oslo })
    expect(toolCalls).toMatchObject([{ name: 'now' }])
    expect(rejected).toMatchObject([
      { name: 'getWeather', code: 'unknown_tool', message: expect.stringContaining('Did you mean "get_weather"?') },
    ])
  })

  it('are requested again if the fields are missing', async () => {
    const lm = scriptedLM([{ text: '[[ ## reasoning ## ]]\nI would look at the weather.' }, selection('now')])
    const { toolCalls } = await multiToolSelector({ lm, mode: 'text' })('?', tools)
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The field "selected_tools" is missing.')
    expect(toolCalls).toMatchObject([{ name: 'now' }])
  })

  it('reject with the last reply if the format stays wrong', async () => {
    const lm = scriptedLM([{ text: 'Hello.' }])
    await expect(multiToolSelector({ lm, mode: 'text', maxRepairs: 0 })('?', tools)).rejects.toMatchObject({
      code: 'invalid_output',
      rawOutput: 'Hello.',
    })
  })

  it('are limited to maxTools, and the rest is reported', async () => {
    const lm = scriptedLM([selection('get_weather', { get_weather: [oslo, oslo, oslo] })])
    const { toolCalls, rejected } = await multiToolSelector({ lm, mode: 'text', maxTools: 2 })('?', tools)
    expect(lm.requests[0]?.messages[0]?.content).toContain('Select at most 2.')
    expect(toolCalls).toHaveLength(2)
    expect(rejected).toMatchObject([{ code: 'too_many', message: '3 calls were requested; only the first 2 were accepted.' }])
  })
})

describe('arguments as text', () => {
  it('T3-18: are repaired if they have one reading, and reported in recovered', async () => {
    const { toolCalls, recovered } = await decide('get_weather', "```json\n{'get_weather': {'city': 'Oslo',}}\n```")
    expect(toolCalls).toMatchObject([{ args: oslo }])
    expect(recovered).toMatchObject([
      { callId: 'call_1', tags: expect.arrayContaining(['fence', 'single_quotes', 'trailing_comma']) },
    ])
  })

  it.each([
    ['{"get_weather": {"city": "Os', 'were truncated'],
    ['{"get_weather": {"city": }}', 'are missing a value'],
    ['[{"city": "Oslo"}]', 'must be a JSON object that maps'],
    ['7', 'must be a JSON object that maps'],
    ['{"get_weather": {"__proto__": {}}}', 'forbidden key'],
  ])('T3-18: reject all selected tools if they have no reading: %s', async (text, words) => {
    const { toolCalls, rejected } = await decide('get_weather, now', text)
    expect(toolCalls).toEqual([])
    expect(rejected).toMatchObject([
      { name: 'get_weather', code: 'invalid_tool_call_arguments', message: expect.stringContaining(words), raw: text },
      { name: 'now', code: 'invalid_tool_call_arguments', raw: text },
    ])
  })

  it('T3-18: get missing brackets only if the reply is complete', async () => {
    const text = '{"get_weather": {"city": "Oslo"}'
    expect(await decide('get_weather', text)).toMatchObject({
      toolCalls: [],
      rejected: [{ message: expect.stringContaining('were truncated') }],
    })
    expect(await decide('get_weather', text, 'stop')).toMatchObject({
      toolCalls: [{ args: oslo }],
      recovered: [{ tags: ['missing_close'] }],
    })
  })

  it("T3-18: are reported for a tool that wasn't selected", async () => {
    const { toolCalls, rejected } = await decide('now', { get_weather: oslo, fly: {} })
    expect(toolCalls).toMatchObject([{ name: 'now' }])
    expect(rejected).toMatchObject([
      { name: 'get_weather', code: 'not_selected', raw: '{"city":"Oslo"}' },
      { name: 'fly', code: 'not_selected', message: expect.stringContaining('there is no such tool') },
    ])
  })

  it.each([['Oslo'], [7], [[]], [true]])("T3-18: are rejected if they aren't an object: %j", async (given) => {
    const { toolCalls, rejected } = await decide('get_weather', { get_weather: given })
    expect(toolCalls).toEqual([])
    expect(rejected).toMatchObject([{ name: 'get_weather', code: 'invalid_tool_call_arguments' }])
  })

  it('T3-18: are parsed from a string, and reported', async () => {
    const { toolCalls, recovered } = await decide('get_weather', { get_weather: JSON.stringify(oslo) })
    expect(toolCalls).toMatchObject([{ args: oslo }])
    expect(recovered).toEqual([{ callId: 'call_1', tags: ['double_encoded'] }])
  })

  it('T3-18: are rejected for a duplicate key, because a parser keeps only the last', async () => {
    const { toolCalls, rejected } = await decide(
      'get_weather',
      '{"get_weather": {"city": "Oslo"}, "get_weather": {"city": "Bergen"}}',
    )
    expect(toolCalls).toEqual([])
    expect(rejected).toMatchObject([{ name: 'get_weather', code: 'repeated' }])
  })

  it('T3-18: are reported if the name of the tool is missing', async () => {
    const { toolCalls, rejected } = await decide('get_weather', oslo)
    expect(toolCalls).toEqual([])
    expect(rejected).toMatchObject([
      {
        name: 'get_weather',
        code: 'invalid_tool_call_arguments',
        message: expect.stringContaining('which tool "city" belongs to'),
      },
      { name: 'city', code: 'not_selected' },
    ])
  })

  it.each(['', 'none', '"None"', 'null', '{}', '[]', 'N/A'])('T3-18: none at all: %j', async (text) => {
    expect(await decide('now', text)).toMatchObject({ toolCalls: [{ name: 'now', args: {} }], rejected: [] })
  })

  it.each(['{', '[[', '"', '{"'])("T3-18: aren't taken as empty if they are incomplete: %j", async (text) => {
    expect(await decide('now', text)).toMatchObject({ toolCalls: [], rejected: [{ code: 'invalid_tool_call_arguments' }] })
  })

  it('T3-19: are rejected if invalid, field by field', async () => {
    const { toolCalls, rejected } = await decide('get_weather, set_reminder', { get_weather: { city: 'Oslo', days: 0 } })
    expect(toolCalls).toEqual([])
    expect(rejected).toMatchObject([
      { name: 'get_weather', code: 'invalid_arguments', message: 'Invalid arguments for "get_weather": /days must be >= 1.' },
      { name: 'set_reminder', message: expect.stringContaining("must have required property 'title'") },
    ])
  })

  it('T3-19: are coerced, with defaults, and without undeclared members', async () => {
    const { toolCalls } = await decide('get_weather, set_reminder', {
      get_weather: { city: 'Oslo', days: '2', mood: 'good' },
      set_reminder: { title: 'Umbrella' },
    })
    expect(toolCalls.map(({ args }) => args)).toEqual([
      { city: 'Oslo', days: 2 },
      { title: 'Umbrella', loud: false },
    ])
  })
})
