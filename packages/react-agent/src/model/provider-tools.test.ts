/** Tools that the provider runs itself, offered beside the tools of an agent. */

import { anthropicMessages, openaiResponses, type WireFormat } from '@x/adapters/wire'
import { createLM } from '@x/lm'
import { expect, it } from 'vitest'
import { answer, getWeather } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

interface Case {
  readonly wire: WireFormat
  readonly model: string
  /** The tool as the provider's documentation has it. */
  readonly tool: object
  /** The blocks of a reply in which the provider used its tool, and then called ours. */
  readonly blocks: readonly object[]
  readonly reply: (blocks: readonly object[]) => object
  readonly text: object
  readonly called: readonly string[]
}

const CASES: readonly Case[] = [
  {
    wire: anthropicMessages,
    model: 'claude-sonnet-4-6',
    tool: { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    blocks: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'capital of Norway' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: 'https://a.example', title: 'Oslo', encrypted_content: 'x', page_age: null }],
      },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } },
    ],
    reply: (content) => ({ content, stop_reason: 'end_turn' }),
    text: { type: 'text', text: 'Rain.' },
    called: ['server_tool_use'],
  },
  {
    wire: openaiResponses,
    model: 'gpt-5.4',
    tool: { type: 'code_interpreter', container: { type: 'auto' } },
    blocks: [
      { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1 + 1', container_id: 'c', outputs: null },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    ],
    reply: (output) => ({ output, status: 'completed' }),
    text: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Rain.' }] },
    called: ['code_interpreter_call'],
  },
]

it.each(CASES.map((one) => [one.wire.name, one] as const))(
  'are offered, shown as calls of the provider and never executed: %s',
  async (_, { wire, model, tool, blocks, reply, text, called }) => {
    const bodies: Record<string, unknown>[] = []
    const fetch = async (_url: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)))
      return Response.json(reply(bodies.length === 1 ? blocks : [text]))
    }
    const lm = createLM({ wire, baseURL: 'http://host.test', model, fetch })
    await using agent = await createReactAgent({
      lm,
      tools: [getWeather],
      signature: answer,
      providerOptions: { tools: [tool] },
    })
    const run = agent.run({ question: 'Rain?' })
    const shown: unknown[] = []
    const executed: string[] = []
    for await (const event of run.stream()) {
      if (event.type === 'assistant_message')
        for (const { type, by } of event.response.providerCalls ?? []) shown.push([type, by])
      if (event.type === 'call_started') executed.push(event.call.name)
    }
    const { outputs } = await run
    expect(outputs).toEqual({ answer: 'Rain.' })
    expect(bodies.map(({ tools }) => tools)).toEqual([
      [expect.objectContaining({ name: 'get_weather' }), tool],
      [expect.objectContaining({ name: 'get_weather' }), tool],
    ])
    expect(shown).toEqual(called.map((type) => [type, 'provider']))
    expect(executed).toEqual(['get_weather'])
    // What the provider did is sent back as it was.
    for (const block of blocks.slice(0, -1)) expect(JSON.stringify(bodies[1])).toContain(JSON.stringify(block))
  },
)
