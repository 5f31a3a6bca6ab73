/** Tools that the provider searches: how they are sent, and how its searches and the calls of found tools are read. */
import { describe, expect, it } from 'vitest'
import type { LMRequest, LMResponse } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { anthropicMessages, openaiChat, openaiResponses } from './index.ts'
import type { WireFormat } from './wire-format.ts'

const spec = (name: string) => ({
  type: 'function' as const,
  function: { name, description: `The tool ${name}.`, parameters: { type: 'object', properties: { id: { type: 'string' } } } },
})
const request: LMRequest = {
  messages: [{ role: 'user', content: 'Archive r1.' }],
  tools: [spec('look'), spec('search_tools'), spec('call_tool')],
  search: { tools: [spec('archive.invoice'), spec('pay')], instead: ['search_tools', 'call_tool'] },
}

function encode(wire: WireFormat, model: string, given = request) {
  const losses: Loss[] = []
  const body = wire.encode(given, model, { onLoss: (loss) => losses.push(loss) }) as {
    tools: { name?: string; tools?: object[] }[]
  }
  return { body, losses: losses.filter(({ keyword }) => keyword === 'search') }
}

/** Returns the messages of the next request, in which the call has its result. */
function answered({ text, toolCalls, metadata }: LMResponse): LMRequest {
  const [call] = toolCalls
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: text, toolCalls, metadata },
      { role: 'tool', callId: call?.id ?? '', name: call?.name ?? '', content: 'Archived.' },
    ],
  }
}

describe('anthropicMessages', () => {
  it('sends deferred tools and the search of the provider in place of our own', () => {
    const { body, losses } = encode(anthropicMessages, 'claude-sonnet-4-6')
    expect(body.tools).toMatchObject([
      { name: 'archive_invoice', defer_loading: true },
      { name: 'pay', defer_loading: true },
      { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
      { name: 'look' },
    ])
    expect(body.tools.at(-1)).not.toHaveProperty('defer_loading')
    expect(losses).toEqual([])
  })

  const found = [
    { type: 'server_tool_use', id: 'srv_1', name: 'tool_search_tool_bm25', input: { query: 'archive' } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srv_1',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'archive_invoice' }],
      },
    },
    { type: 'tool_use', id: 'toolu_1', name: 'archive_invoice', input: { id: 'r1' } },
  ]

  it('reads the search as a call of the provider, restores the name of the found tool, and sends both back', () => {
    const response = anthropicMessages.decode({ content: found, stop_reason: 'tool_use' }, request, 'claude-sonnet-4-6')
    expect(response.toolCalls).toMatchObject([{ id: 'toolu_1', name: 'archive.invoice', arguments: '{"id":"r1"}' }])
    expect(response.providerCalls).toMatchObject([{ by: 'provider', name: 'tool_search_tool_bm25' }])
    const next = anthropicMessages.encode(answered(response), 'claude-sonnet-4-6')
    expect(next.messages[1]?.content).toEqual(found)
  })

  it('reads the same from a stream', () => {
    const decoder = anthropicMessages.streamDecoder(request, 'claude-sonnet-4-6')
    const events = found.flatMap((block, index) => {
      const { input, ...start } = block as { input?: object }
      const delta = {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      }
      const begun = { type: 'content_block_start', index, content_block: input === undefined ? block : { ...start, input: {} } }
      return [begun, ...(input === undefined ? [] : [delta]), { type: 'content_block_stop', index }]
    })
    const deltas = [...events, { type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }].flatMap(
      (event) => decoder.push(event),
    )
    expect(deltas.find(({ type }) => type === 'provider_call')).toMatchObject({ call: { name: 'tool_search_tool_bm25' } })
    expect(deltas.find(({ type }) => type === 'call_start')).toMatchObject({ name: 'archive.invoice' })
    const kept = deltas.find(({ type }) => type === 'metadata') as { metadata: Record<string, { content: { type: string }[] }> }
    expect(kept.metadata['anthropic-messages']?.content.map(({ type }) => type)).toEqual(found.map(({ type }) => type))
  })
})

it.each([
  ['claude-sonnet-4-6', 'Messages', anthropicMessages, ['look', 'pay']],
  ['gpt-5.6', 'Responses', openaiResponses, ['look', 'pay']],
  ['gpt-4o', 'Responses', openaiResponses, ['look', 'search_tools']],
] as const)('losses are reported only for the tools that are sent: %s on %s', (model, _, wire, reported) => {
  const lossy = (name: string) => {
    const parameters = { type: 'object', properties: { id: { type: 'string', minLength: 1 } }, required: ['id'] }
    return { type: 'function' as const, function: { name, description: 'A tool.', parameters } }
  }
  const losses: Loss[] = []
  const search = { tools: [lossy('pay')], instead: ['search_tools'] }
  const given = { ...request, tools: [lossy('look'), lossy('search_tools')], search, strictTools: true }
  wire.encode(given, model, { onLoss: (loss) => losses.push(loss) })
  expect(losses.flatMap(({ tool = [] }) => tool)).toEqual(reported)
})

describe('references to found tools', () => {
  const reply = (names: readonly string[]) => ({
    content: [
      { type: 'server_tool_use', id: 'srv_1', name: 'tool_search_tool_bm25', input: { query: 'money' } },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 'srv_1',
        content: {
          type: 'tool_search_tool_search_result',
          tool_references: names.map((tool_name) => ({ type: 'tool_reference', tool_name })),
        },
      },
      { type: 'text', text: 'Found.' },
    ],
    stop_reason: 'end_turn',
  })
  const later = (names: readonly string[], more: Partial<LMRequest> = {}): LMRequest => {
    const { text, metadata } = anthropicMessages.decode(reply(names), request, 'claude-sonnet-4-6')
    const content = 'Go on.'
    return {
      ...request,
      messages: [...request.messages, { role: 'assistant', content: text, metadata }, { role: 'user', content }],
      ...more,
    }
  }
  const kept = (given: LMRequest, model = 'claude-sonnet-4-6') => {
    const losses: Loss[] = []
    const body = anthropicMessages.encode(given, model, { onLoss: (loss) => losses.push(loss) })
    const names = Array.from(JSON.stringify(body.messages).matchAll(/"tool_name":"(\w+)"/g), ([, name]) => name)
    return { names, lost: losses.flatMap(({ keyword, note }) => (keyword === 'tool_reference' ? [note] : [])), body }
  }

  it('are sent back in every later turn', () => {
    expect(kept(later(['archive_invoice', 'pay', 'look']))).toMatchObject({ names: ['archive_invoice', 'pay', 'look'], lost: [] })
  })

  it('are removed for a tool that is gone, because the API rejects them', () => {
    const { names, lost, body } = kept(later(['archive_invoice', 'pay'], { search: { tools: [spec('pay')] } }))
    expect([names, lost]).toEqual([['pay'], ['there is no tool "archive_invoice"']])
    expect(body.messages[1]?.content).toMatchObject([{ type: 'server_tool_use' }, {}, { type: 'text', text: 'Found.' }])
  })

  it('are removed in a conversation that goes on without the search, or with a model that has none', () => {
    expect(kept(later(['pay'], { search: undefined })).names).toEqual([])
    expect(kept(later(['pay', 'look']), 'claude-sonnet-4-0').names).toEqual(['look'])
  })
})

describe('openaiResponses', () => {
  it('sends deferred tools as one namespace, whose names are not part of the prompt', () => {
    const { body, losses } = encode(openaiResponses, 'gpt-5.6')
    expect(body.tools).toMatchObject([
      { type: 'function', name: 'look' },
      { type: 'namespace', name: 'library', tools: [{ name: 'archive_invoice', defer_loading: true }, { name: 'pay' }] },
      { type: 'tool_search' },
    ])
    expect(losses).toEqual([])
  })

  it('reads the search as a call of the provider, restores the name of the found tool, and sends both back', () => {
    const output = [
      {
        type: 'tool_search_call',
        id: 'ts_1',
        execution: 'server',
        call_id: null,
        status: 'completed',
        arguments: { paths: ['library'] },
      },
      { type: 'tool_search_output', id: 'to_1', execution: 'server', call_id: null, status: 'completed', tools: [] },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'archive_invoice',
        namespace: 'library',
        arguments: '{"id":"r1"}',
      },
    ]
    const response = openaiResponses.decode({ output, status: 'completed' }, request, 'gpt-5.6')
    expect(response.toolCalls).toMatchObject([{ id: 'call_1', name: 'archive.invoice' }])
    expect(response.providerCalls).toMatchObject([{ type: 'tool_search_call', by: 'provider' }, { type: 'tool_search_output' }])
    const { input } = openaiResponses.encode(answered(response), 'gpt-5.6')
    expect(input.slice(1, 4)).toMatchObject([
      { type: 'tool_search_call' },
      { type: 'tool_search_output' },
      { type: 'function_call', name: 'archive_invoice', namespace: 'library' },
    ])
  })

  it('names the namespace of a deferred tool that another provider or our own search found, because the API rejects its call otherwise', () => {
    const toolCalls = ['archive.invoice', 'look'].map((name, index) => ({ id: `call_${index}`, name, arguments: '{}' }))
    const { input } = openaiResponses.encode({ ...request, messages: [{ role: 'assistant', content: '', toolCalls }] }, 'gpt-5.6')
    expect(input).toEqual([
      { type: 'function_call', call_id: 'call_0', name: 'archive_invoice', namespace: 'library', arguments: '{}' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    ])
  })
})

describe.each([
  ['a model without a search', anthropicMessages, 'claude-sonnet-4-0'],
  ['an unknown model', anthropicMessages, 'someone-elses-model'],
  ['an API without a search', openaiChat, 'gpt-5.6'],
] as const)('for %s', (_, wire, model) => {
  it("only the request's own tools are sent, and the loss is reported", () => {
    const { body, losses } = encode(wire, model)
    const { search, ...without } = request
    expect(body).toEqual(encode(wire, model, without).body)
    expect(body.tools).toHaveLength(3)
    expect(losses).toEqual([expect.objectContaining({ path: '/search', action: 'dropped' })])
  })
})

it('facts of the caller decide, and a request without tools of its own may have a search', () => {
  const { tools, ...bare } = request
  const body = anthropicMessages.encode(bare, 'someone-elses-model', { facts: { toolSearch: true } })
  expect(body.tools).toHaveLength(3)
  expect(anthropicMessages.encode({ ...bare, search: { tools: [] } }, 'claude-sonnet-4-6')).not.toHaveProperty('tools')
})
