import { textAdapter } from '@x/adapters'
import { type ScriptedLM, scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type Tool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, payments } from '../../test/approval/payments.ts'
import { hermes } from '../../test/hermes.ts'
import { failureOf, programTool } from '../../test/nested/program-tool.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

describe('an agent with search', () => {
  const search = (id = 's') => ({ toolCalls: [call('search_tools', { query: 'weather of a city' }, id)] })
  const look = (city: string, id: string) => call('call_tool', { name: 'get_weather', arguments: { city } }, id)
  const registry = () => createRegistry([lazy('get_weather', async () => getWeather, { description: 'Weather of a city' })])
  const namesOf = (lm: ScriptedLM) => lm.requests.map((request) => request.tools?.map((tool) => tool.function.name).join())

  it('offers the same tools in every request, and returns schemas from a search', async () => {
    const lm = scriptedLM([
      search(),
      { toolCalls: [look('Oslo', 'a'), call('get_weather', { city: 'Rome' }, 'b')] },
      { text: 'Warm.' },
    ])
    const agent = await createReactAgent({ lm, tools: [], search: registry(), signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    expect(new Set(namesOf(lm))).toEqual(new Set(['search_tools,call_tool']))
    const results = trajectory.messages.filter(({ role }) => role === 'tool')
    expect(JSON.parse(results[0]?.content ?? '')).toEqual({ tools: [toSpec(getWeather as never).function] })
    expect(results.slice(1)).toEqual([
      { role: 'tool', callId: 'a', name: 'call_tool', content: '{"city":"Oslo","degrees":21}' },
      { role: 'tool', callId: 'b', name: 'get_weather', content: '{"city":"Rome","degrees":21}' },
    ])
  })

  it('can call a tool that an earlier run found, even if that run was offered the tool itself', async () => {
    const lm = scriptedLM([search(), { toolCalls: [call('get_weather', { city: 'Oslo' }, 'a')] }, { text: 'Warm.' }])
    const before = await createReactAgent({ lm, tools: [], search: { registry: registry(), reveal: 'tools' }, signature: answer })
    const { trajectory } = await before.run({ question: '?' })
    expect(namesOf(lm)[1]).toBe('search_tools,get_weather')
    const later = scriptedLM([{ toolCalls: [look('Rome', 'b'), look('Bonn', 'c')] }, { text: 'Warmer.' }])
    const after = await createReactAgent({ lm: later, tools: [], search: registry(), signature: answer })
    const { trajectory: both } = await after.run({ question: '?' }, { history: trajectory })
    expect(
      both.messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
        .slice(2),
    ).toEqual(['{"city":"Rome","degrees":21}', '{"city":"Bonn","degrees":21}'])
  })

  it('resumes a paused run of an agent that adds found tools to its tools', async () => {
    const { pay, paid } = payments()
    const script = [
      { toolCalls: [call('search_tools', { query: 'pay an amount' }, 's')] },
      { toolCalls: [call('pay', { amount: 5 }, 'p')] },
    ]
    const options = { tools: [], signature: answer }
    const adding = { registry: createRegistry([pay]), reveal: 'tools' as const }
    const before = await createReactAgent({ ...options, lm: scriptedLM(script), search: adding })
    const paused = await pause(before.run({ question: '?' }))
    const wrapped = { toolCalls: [call('call_tool', { name: 'pay', arguments: { amount: 6 } }, 'q')] }
    const lm = scriptedLM([wrapped, { text: 'Paid.' }])
    const after = await createReactAgent({ ...options, lm, search: adding.registry })
    await after.resume(paused, { p: true }, { approve: () => true })
    expect(paid).toHaveLength(2)
    expect(new Set(namesOf(lm))).toEqual(new Set(['search_tools,call_tool']))
  })

  it('understands call_tool in the messages of a run, even if it adds found tools to its tools', async () => {
    const { pay, paid } = payments()
    const library = createRegistry([pay])
    const options = { tools: [], signature: answer }
    const within = (name: string, args: object, id: string) => ({ toolCalls: [call('call_tool', { name, arguments: args }, id)] })
    const script = [within('search_tools', { query: 'pay an amount' }, 's'), within('pay', { amount: 5 }, 'p1')]
    const before = await createReactAgent({ ...options, lm: scriptedLM(script), search: library })
    const paused = await pause(before.run({ question: '?' }))
    const after = await createReactAgent({
      ...options,
      lm: scriptedLM([{ text: 'Paid.' }]),
      search: { registry: library, reveal: 'tools' },
    })
    await after.resume(paused, { p1: true })
    expect(paid).toHaveLength(1)
  })

  it.each([
    ['no name', { arguments: {} }],
    ['no name but other members', { tool: 'get_weather', city: 'Oslo' }],
    ['arguments beside the name', { name: 'get_weather', city: 'Oslo' }],
    ['its own name', { name: 'call_tool', arguments: { name: 'get_weather', arguments: { city: 'Oslo' } } }],
  ])('answers a call to call_tool with %s with the right form, and runs nothing', async (_, args) => {
    const lm = scriptedLM([search(), { toolCalls: [call('call_tool', args, 'a')] }, { text: 'Sorry.' }])
    const agent = await createReactAgent({ lm, tools: [], search: registry(), signature: answer })
    const run = agent.run({ question: '?' })
    const finished: unknown[] = []
    for await (const event of run.stream()) if (event.type === 'call_finished') finished.push(event)
    expect(finished[1]).toMatchObject({
      callId: 'a',
      name: 'call_tool',
      ok: false,
      error: { code: 'invalid_tool_call', message: expect.stringContaining('{"name": …, "arguments": {…}}') },
    })
  })

  it('calls a tool without arguments by its name alone', async () => {
    const look = defineTool({ name: 'look', description: 'Look around.', args: Type.Object({}), execute: () => 'Nothing new.' })
    const found = { toolCalls: [call('search_tools', { query: 'look around' }, 's')] }
    const lm = scriptedLM([found, { toolCalls: [call('call_tool', { name: 'look' }, 'a')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [], search: createRegistry([look]), signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages.at(-2)?.content).toBe('Nothing new.')
  })

  it('can end its task and use its own tools with call_tool', async () => {
    const outputs = { city: 'Oslo', degrees: 21 }
    const submit = call('call_tool', { name: 'submit', arguments: outputs }, 'b')
    const lm = scriptedLM([{ toolCalls: [look('Oslo', 'a')] }, { toolCalls: [submit] }])
    const agent = await createReactAgent({ lm, tools: [getWeather], search: createRegistry([]), signature: report })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs, steps: 2 })
  })

  it.each([
    ['before the arguments', { name: 'get_weather', arguments: { city: 'Oslo' } }],
    ['after the arguments', { arguments: { city: 'Oslo' }, name: 'get_weather' }],
  ])('streams the arguments of the found tool when its name comes %s', async (_, args) => {
    const lm = scriptedLM([search(), { toolCalls: [call('call_tool', args, 'a')] }, { text: 'Warm.' }])
    const agent = await createReactAgent({ lm, tools: [], search: registry(), signature: answer, stream: true })
    const streamed: unknown[] = []
    const run = agent.run({ question: '?' })
    for await (const event of run.stream()) if (event.type === 'argument' && event.step === 2) streamed.push(event)
    expect(streamed).toMatchObject([{ callId: 'a', name: 'get_weather', pointer: '/city', value: 'Oslo' }])
    await run
  })

  it('has the tools and schemas in the same form in text mode, and changes no message that was sent', async () => {
    const written = (name: string, args: object) => ({
      text: `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
    })
    const lm = scriptedLM([
      written('search_tools', { query: 'weather of a city' }),
      written('call_tool', { name: 'get_weather', arguments: { city: 'Oslo' } }),
      written('get_weather', { city: 'Rome' }),
      { text: 'Warm.' },
    ])
    const agent = await createReactAgent({
      lm,
      adapter: textAdapter(hermes),
      tools: [],
      search: registry(),
      signature: answer,
      maxResultLength: 100,
    })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message.name] : []))).toEqual([
      'search_tools',
      'call_tool',
      'get_weather',
    ])
    const sent = lm.requests.map(({ messages }) => JSON.stringify(messages).slice(0, -1))
    for (const [index, bytes] of sent.slice(1).entries()) expect(bytes.startsWith(sent[index] as string)).toBe(true)
  })

  it('never offers call_tool to a tool that calls tools itself', async () => {
    const program = programTool(({ call: within }) => failureOf(within({ name: 'call_tool' })).then((error) => error?.message))
    const lm = scriptedLM([{ toolCalls: [call('program')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [program, getWeather], search: createRegistry([]), signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]?.content).toMatch(/^There is no tool "call_tool"\..*Tools: get_weather\.$/)
  })

  it.each([
    [
      'its tools',
      (tool: Tool) => ({ tools: [tool], search: createRegistry([]) }),
      /The agent "agent" has a tool named "call_tool"/,
    ],
    [
      'its registry',
      (tool: Tool) => ({ tools: [], search: createRegistry([tool]) }),
      /registry of the agent .* has a tool named "call_tool"/,
    ],
    [
      'its registry, which is added to the tools',
      (tool: Tool) => ({ tools: [], search: { registry: createRegistry([tool]), reveal: 'tools' as const } }),
      /call_tool/,
    ],
  ])("can't have a tool named call_tool in %s", async (_, options, message) => {
    const taken = defineTool({ name: 'call_tool', description: 'Mine.', args: Type.Object({}), execute: () => 1 })
    const creating = createReactAgent({ lm: scriptedLM([]), signature: answer, ...options(taken as never) } as never)
    await expect(creating).rejects.toMatchObject({ code: 'reserved_name', message: expect.stringMatching(message) })
  })

  it('is the only kind of agent that reserves the name call_tool', async () => {
    const own = defineTool({ name: 'call_tool', description: 'Mine.', args: Type.Object({}), execute: () => 'My result.' })
    const lm = scriptedLM([{ toolCalls: [call('call_tool', { name: 'x', arguments: {} }, 'a')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [own], signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]?.content).toBe('My result.')
  })

  it.each([
    ['reveal', { registry: createRegistry([]), reveal: 'calls' }, 'search.reveal must be "call_tool" or "tools"'],
    ['registry', { registry: [] }, 'search.registry must be a registry'],
    ['unknown', { registry: createRegistry([]), limit: 3 }, 'search.limit is unknown'],
  ])('checks its option %s', async (_, search, message) => {
    const creating = createReactAgent({ lm: scriptedLM([]), tools: [], search: search as never, signature: answer })
    await expect(creating).rejects.toMatchObject({ code: 'invalid_options', message: expect.stringContaining(message) })
  })
})
