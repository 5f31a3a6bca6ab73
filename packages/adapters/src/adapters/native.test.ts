import { type Tool as AnyTool, defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type LMResponse, nativeAdapter } from '../index.ts'
import { defineSignature } from '../signature/define-signature.ts'
import { Tool, ToolCalls, Tools } from '../signature/tool-fields.ts'

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({ city: Type.String({ description: 'City name' }), unit: Type.Optional(Type.String()) }),
  execute: ({ city }) => city,
})
const listCities = defineTool({ name: 'list_cities', description: 'All cities.', args: Type.Object({}), execute: () => [] })

const plan = defineSignature({
  instructions: 'Decide which tools to call.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const answer = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

describe('format with tools', () => {
  it('T4-1: converts the tools field to request.tools', () => {
    const request = nativeAdapter.format(plan, { question: 'Warm?', tools: [getWeather] })
    expect(request.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Current weather for a city.',
          parameters: {
            type: 'object',
            required: ['city'],
            properties: { city: { type: 'string', description: 'City name' }, unit: { type: 'string' } },
          },
        },
      },
    ])
  })

  it('keeps the very spec objects, so that a wire encodes a tool once', () => {
    const request = nativeAdapter.format(plan, { question: 'Warm?', tools: [getWeather] })
    expect(request.tools?.[0]).toBe(toSpec(getWeather))
  })

  it('keeps frozen copies of earlier messages, so that a later change to them is not sent', () => {
    const earlier = { role: 'user' as const, content: 'Hello' }
    const conversation = nativeAdapter.begin(answer, { question: 'Warm?' }, [earlier])
    conversation.append({ response: { text: 'Yes.', toolCalls: [] } })
    earlier.content = 'Goodbye'
    expect(conversation.request().messages[1]).toEqual({ role: 'user', content: 'Hello' })
    expect(conversation.messages.every((message) => Object.isFrozen(message))).toBe(true)
  })

  it('reads a frozen list of tools once, and any other list in each request', () => {
    const specs = (tools: readonly AnyTool[]) => nativeAdapter.format(plan, { question: 'Warm?', tools }).tools
    const frozen = Object.freeze([getWeather])
    expect(specs(frozen)).toBe(specs(frozen))
    const growing: AnyTool[] = [getWeather]
    expect(specs(growing)).toHaveLength(1)
    growing.push(listCities)
    expect(specs(growing)).toHaveLength(2)
  })

  it('T4-2: concatenates several tool fields in order', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { extra: Tools(), question: Type.String(), tools: Tools() },
      outputs: { tool_calls: ToolCalls() },
    })
    const request = nativeAdapter.format(signature, { question: 'q', tools: [getWeather], extra: [listCities] })
    expect(request.tools?.map((tool) => tool.function.name)).toEqual(['list_cities', 'get_weather'])
  })

  it('T4-2: accepts a single tool if a list is declared', () => {
    const request = nativeAdapter.format(plan, { question: 'q', tools: getWeather as never })
    expect(request.tools).toEqual([toSpec(getWeather)])
  })

  it('T4-2: concatenates a tool and a list of tools in the order of their fields', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { tools: Tools(), question: Type.String(), fallback: Tool() },
      outputs: { tool_calls: ToolCalls() },
    })
    const request = nativeAdapter.format(signature, { question: 'q', tools: [getWeather], fallback: listCities })
    expect(request.tools?.map((tool) => tool.function.name)).toEqual(['get_weather', 'list_cities'])
  })

  it('T4-2: sends a repeated tool only once', () => {
    const request = nativeAdapter.format(plan, { question: 'q', tools: [getWeather, listCities, getWeather] })
    expect(request.tools).toEqual([toSpec(getWeather), toSpec(listCities)])
  })

  it('T4-2: refuses two tools with the same name, and reports where they are', () => {
    const other = defineTool({ name: 'get_weather', description: 'Another one.', args: Type.Object({}), execute: () => null })
    const format = () => nativeAdapter.format(plan, { question: 'q', tools: [listCities, getWeather, other] })
    expect(format).toThrow('Input "tools", tool 2: there is already a tool named "get_weather"')
    expect(format).toThrow(expect.objectContaining({ code: 'invalid_tool_fields', field: 'tools', path: '/tools/2/name' }))
  })

  it('T4-3: omits the tools key if the signature has no tool field', () => {
    const request = nativeAdapter.format(answer, { question: 'Warm?' })
    expect(Object.keys(request)).toEqual(['messages'])
  })

  it('T4-4: omits the tools key for an empty or absent list of tools', () => {
    for (const tools of [[], null, undefined]) {
      expect(nativeAdapter.format(plan, { question: 'q', tools: tools as never })).not.toHaveProperty('tools')
    }
  })

  it('T4-4: omits the tools key for a single-tool field without a tool', () => {
    const signature = defineSignature({ instructions: '', inputs: { tool: Tool() }, outputs: { answer: Type.String() } })
    for (const tool of [null, undefined])
      expect(nativeAdapter.format(signature, { tool: tool as never })).not.toHaveProperty('tools')
  })

  it('requests several outputs under markers, with the schema of a list', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { question: Type.String() },
      outputs: { n: Type.Integer({ description: 'Number of items' }), items: Type.Array(Type.String()) },
    })
    expect(nativeAdapter.format(signature, { question: 'q' }).messages[0]?.content).toBe(
      [
        'Write each part of your reply under its marker. The line below a marker shows the type and the description. Write the value in its place:',
        '[[ ## n ## ]]',
        '(integer) Number of items',
        '[[ ## items ## ]]',
        '(JSON matching this schema: {"type":"array","items":{"type":"string"}})',
      ].join('\n'),
    )
  })

  it("T4-5: refuses a value that isn't a tool, and reports where it is", () => {
    const spec = { name: 'get_weather', description: 'No implementation.' }
    for (const value of [spec, null, 5, [getWeather]]) {
      const format = () => nativeAdapter.format(plan, { question: 'q', tools: [listCities, value as never] })
      expect(format).toThrow('Input "tools", tool 1: it is not a tool')
      expect(format).toThrow(expect.objectContaining({ code: 'invalid_tool_spec', field: 'tools', path: '/tools/1' }))
    }
    const named = () => nativeAdapter.format(plan, { question: 'q', tools: ['web_search' as never] })
    expect(named).toThrow(
      `it is not a tool. Pass the tool itself. To get it from a registry, write (await registry.resolve('web_search')).get('web_search')`,
    )
  })

  it.each([
    ['name', ''],
    ['description', ' '],
    ['args', undefined],
  ])('T4-5: refuses a copy of a tool without its %s', (part, value) => {
    const incomplete = { ...getWeather, [part]: value } as AnyTool
    const format = () => nativeAdapter.format(plan, { question: 'q', tools: [incomplete] })
    expect(format).toThrow(expect.objectContaining({ code: 'invalid_tool_spec', path: `/tools/0/${part}` }))
  })

  it("doesn't write the tools into the text", () => {
    const { messages } = nativeAdapter.format(plan, { question: 'Warm?', tools: [getWeather] })
    expect(JSON.stringify(messages)).not.toContain('get_weather')
  })
})

describe('format of text', () => {
  it('sends a single input unchanged, after the instructions', () => {
    expect(nativeAdapter.format(answer, { question: 'Warm?' }).messages).toEqual([
      { role: 'system', content: 'Answer.' },
      { role: 'user', content: 'Warm?' },
    ])
  })

  it('sends several inputs under markers, with other values than strings as JSON', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { question: Type.String(), limits: Type.Array(Type.Integer()) },
      outputs: { answer: Type.String() },
    })
    const { messages } = nativeAdapter.format(signature, { question: 'Warm?', limits: [1, 2] })
    expect(messages).toEqual([{ role: 'user', content: '[[ ## question ## ]]\nWarm?\n\n[[ ## limits ## ]]\n[1,2]' }])
  })

  it('omits an input without a value', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { question: Type.String(), hint: Type.Optional(Type.String()) },
      outputs: { answer: Type.String() },
    })
    expect(nativeAdapter.format(signature, { question: 'Warm?' }).messages).toEqual([{ role: 'user', content: 'Warm?' }])
  })

  it('reads only own properties of the inputs', () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { constructor: Type.Optional(Type.String()), question: Type.String() },
      outputs: { answer: Type.String() },
    })
    expect(nativeAdapter.format(signature, { question: 'Warm?' } as never).messages[0]?.content).toBe('Warm?')
  })

  it('explains the fields to the model', () => {
    const signature = defineSignature({
      instructions: 'Answer.',
      inputs: { question: Type.String({ description: 'What the user asks' }) },
      outputs: { answer: Type.String({ description: 'One short sentence' }) },
    })
    const [system] = nativeAdapter.format(signature, { question: 'Warm?' }).messages
    expect(system?.content).toBe(
      'Answer.\n\nInputs:\n- question: What the user asks\n\nReply with:\n- answer: One short sentence',
    )
  })

  it('describes several outputs to the model', () => {
    const signature = defineSignature({
      instructions: 'Judge.',
      inputs: { review: Type.String() },
      outputs: { mood: Type.Enum(['good', 'bad']), score: Type.Integer({ description: 'from 1 to 5' }) },
    })
    const [system] = nativeAdapter.format(signature, { review: 'Fine.' }).messages
    expect(system?.content).toContain('[[ ## mood ## ]]\n(good | bad)\n[[ ## score ## ]]\n(integer) from 1 to 5')
  })

  it("doesn't change the signature or the inputs", () => {
    const inputs = Object.freeze({ question: 'q', tools: Object.freeze([getWeather]) })
    expect(nativeAdapter.format(Object.freeze(plan), inputs)).toEqual(nativeAdapter.format(plan, inputs))
  })
})

describe('request options', () => {
  it('are copied to the request', () => {
    const options = { settings: { temperature: 0 }, toolChoice: 'required', parallelToolCalls: false } as const
    expect(nativeAdapter.format(plan, { question: 'q', tools: [getWeather] }, options)).toMatchObject(options)
  })

  it('are omitted from a request without tools if they concern tools', () => {
    const request = nativeAdapter.format(answer, { question: 'q' }, { toolChoice: 'required', parallelToolCalls: true })
    expect(Object.keys(request)).toEqual(['messages'])
  })
})

describe('a conversation', () => {
  const response: LMResponse = { text: 'Looking.', toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{"city": "Oslo"}' }] }

  it('T4-26: appends a turn as an assistant message and one tool message per result, with their ids', () => {
    const conversation = nativeAdapter.begin(plan, { question: 'q', tools: [getWeather] })
    const observations = [
      { callId: 'a', name: 'get_weather', ok: true, text: '21' },
      { callId: 'b', name: 'get_weather', ok: false, text: 'Error: no such city', code: 'execution_failed' },
    ]
    conversation.append({ response, observations })
    expect(conversation.request().messages.slice(2)).toEqual([
      { role: 'assistant', content: 'Looking.', toolCalls: response.toolCalls },
      { role: 'tool', callId: 'a', name: 'get_weather', content: '21' },
      { role: 'tool', callId: 'b', name: 'get_weather', content: 'Error: no such city', isError: true },
    ])
  })

  it("keeps metadata for the provider, and the raw text of arguments that can't be parsed", () => {
    const conversation = nativeAdapter.begin(plan, { question: 'q', tools: [getWeather] })
    const toolCalls = [{ id: 'a', name: 'get_weather', arguments: '{"city": ', metadata: { signature: 's' } }]
    conversation.append({ response: { text: '', toolCalls, reasoning: 'hm', metadata: { cache: 1 } } })
    expect(conversation.messages.at(-1)).toEqual({
      role: 'assistant',
      content: '',
      reasoning: 'hm',
      toolCalls,
      metadata: { cache: 1 },
    })
  })

  it('grows in place, in the same list with the same message objects', () => {
    const conversation = nativeAdapter.begin(plan, { question: 'q', tools: [getWeather] })
    const { messages } = conversation.request()
    const before = [...messages]
    conversation.append({ response })
    conversation.append({ user: 'Go on.' })
    const after = conversation.request().messages
    expect(after).toBe(messages)
    expect(after.length).toBe(before.length + 2)
    for (const [index, message] of before.entries()) expect(after[index]).toBe(message)
  })

  it('records every message except the system message as plain data', () => {
    const conversation = nativeAdapter.begin(plan, { question: 'q', tools: [getWeather] })
    conversation.append({ response })
    expect(conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(JSON.parse(JSON.stringify(conversation.messages))).toEqual(conversation.messages)
  })

  it('is independent of other conversations with the same signature', () => {
    const first = nativeAdapter.begin(answer, { question: 'q' })
    const second = nativeAdapter.begin(answer, { question: 'q' })
    first.append({ user: 'more' })
    expect(second.messages).toHaveLength(1)
  })
})
