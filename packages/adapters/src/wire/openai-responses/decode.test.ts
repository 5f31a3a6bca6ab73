import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../../index.ts'
import { openaiResponses } from './wire.ts'

const decode = (output: unknown, rest: object = {}): LMResponse =>
  openaiResponses.decode({ status: 'completed', output, ...rest })
const text = (...parts: object[]) => ({ type: 'message', role: 'assistant', content: parts })
const said = (words: string) => ({ type: 'output_text', text: words, annotations: [] })
const call = (more: object = {}) => ({ type: 'function_call', id: 'fc_1', call_id: 'a', name: 'look', arguments: '{}', ...more })

describe('text in a reply', () => {
  it('is joined from all messages, separate from refusal and reasoning', () => {
    const reasoning = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Sum.' }],
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    }
    expect(decode([reasoning, text(said('a'), said('b')), text({ type: 'refusal', refusal: 'No.' })])).toMatchObject({
      text: 'ab',
      reasoning: 'Sum.Hm.',
      refusal: 'No.',
      finishReason: 'stop',
    })
  })

  it('may be missing', () => {
    for (const reply of [{}, null, [], 'x', 5, { output: null }, { output: [null, 5, 'x', [], {}] }])
      expect(openaiResponses.decode(reply)).toMatchObject({ text: '', toolCalls: [], raw: reply })
  })
})

describe('calls', () => {
  it('have the id that results refer to, and metadata for the other fields', () => {
    const caller = { type: 'program', id: 'p' }
    expect(decode([call({ namespace: 'n', caller })]).toolCalls).toEqual([
      { id: 'a', name: 'look', arguments: '{}', metadata: { 'openai-responses': { item_id: 'fc_1', namespace: 'n', caller } } },
    ])
  })

  it('pitfall 4: use the id of the item or a generated one, and keep an id that was replaced', () => {
    const { toolCalls } = decode([call(), call(), call({ call_id: '' }), { type: 'function_call', name: 'look' }])
    expect(toolCalls.map(({ id }) => id)).toEqual(['a', 'call_1', 'fc_1', 'call_3'])
    expect(toolCalls[1]?.metadata).toMatchObject({ 'openai-responses': { id: 'a' } })
    expect(toolCalls[0]?.metadata).toEqual({ 'openai-responses': { item_id: 'fc_1' } })
  })

  it('pitfall 2: may lack arguments', () => {
    expect(decode([call({ arguments: '' }), call({ arguments: null })]).toolCalls.map((one) => one.arguments)).toEqual(['', ''])
  })

  it('pitfall 1: are detected by the items, not by the status', () => {
    expect(decode([call()])).toMatchObject({ finishReason: 'tool-calls', rawFinishReason: 'completed' })
  })
})

describe('provider calls', () => {
  const types = (output: object[]) => decode(output).providerCalls?.map(({ type, by, id, name }) => [type, by, id, name])

  it('are distinguished by the side that executes them', () => {
    const provider = ['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'mcp_call']
    const client = ['custom_tool_call', 'shell_call', 'local_shell_call', 'apply_patch_call', 'computer_call']
    for (const type of [...provider, 'mcp_list_tools', 'shell_call_output', 'tool_search_output'])
      expect(types([{ type, id: 'i' }])).toEqual([[type, 'provider', 'i', undefined]])
    for (const type of [...client, 'mcp_approval_request'])
      expect(types([{ type, id: 'i', call_id: 'c', name: 'n' }])).toEqual([[type, 'client', 'c', 'n']])
    expect(types([{ type: 'tool_search_call', execution: 'client' }])).toEqual([
      ['tool_search_call', 'client', undefined, undefined],
    ])
    expect(types([{ type: 'tool_search_call', execution: 'server', call_id: null, id: 'i' }])).toEqual([
      ['tool_search_call', 'provider', 'i', undefined],
    ])
  })

  it('end the turn with tool-calls if the client must execute them', () => {
    expect(decode([{ type: 'custom_tool_call' }]).finishReason).toBe('tool-calls')
    expect(decode([{ type: 'web_search_call' }]).finishReason).toBe('stop')
    expect(decode([{ type: 'mcp_approval_request' }]).finishReason).toBe('stop')
  })

  it('may be hosted items of any type', () => {
    const hosted = ['program', 'program_output', 'openrouter:web_search', 'x_search', 'mcp_approval_response', 'browser']
    for (const type of hosted) expect(types([{ type, id: 'i' }])).toEqual([[type, 'provider', 'i', undefined]])
  })

  it("don't include messages, reasoning and other items that are only sent back", () => {
    const compaction = { type: 'compaction', encrypted_content: 'x' }
    const response = decode([compaction])
    expect(response).not.toHaveProperty('providerCalls')
    expect(response.metadata).toEqual({ 'openai-responses': { items: [compaction] } })
    for (const type of ['message', 'reasoning', 'function_call', 'additional_tools', undefined, ''])
      expect(decode([{ type, id: 'i' }])).not.toHaveProperty('providerCalls')
  })
})

describe('the end of a reply', () => {
  const cut = (reason: string, output: object[]) => decode(output, { status: 'incomplete', incomplete_details: { reason } })

  it("has a finish reason, and the provider's reason as the raw one", () => {
    expect(cut('max_output_tokens', [])).toMatchObject({ finishReason: 'length', rawFinishReason: 'max_output_tokens' })
    expect(cut('content_filter', [])).toMatchObject({ finishReason: 'content-filter', rawFinishReason: 'content_filter' })
    expect(decode([], { status: 'incomplete' })).toMatchObject({ finishReason: 'length', rawFinishReason: 'incomplete' })
    expect(decode([], { status: 'cancelled' }).finishReason).toBe('error')
    expect(decode([], { status: 'queued' }).finishReason).toBe('other')
  })

  it('marks the call in which a reply was truncated', () => {
    const marks = (reply: LMResponse) => reply.toolCalls.map(({ truncated }) => truncated === true)
    expect(marks(cut('max_output_tokens', [call(), call({ arguments: '{"path":"/srv"}' })]))).toEqual([false, true])
    expect(marks(cut('max_output_tokens', [call({ status: 'completed' }), text(said('x'))]))).toEqual([false])
    expect(marks(cut('max_output_tokens', [call({ status: 'in_progress' }), text(said('x'))]))).toEqual([true])
    expect(marks(decode([call({ status: 'incomplete' }), text(said('x'))]))).toEqual([true])
  })

  it('pitfall 11: is an error if the reply failed', () => {
    expect(decode([], { status: 'failed', error: { code: 'server_error', message: 'Oh.' } })).toMatchObject({
      finishReason: 'error',
      rawFinishReason: 'failed',
      error: { code: 'server_error', message: 'Oh.' },
    })
    expect(openaiResponses.decode({ error: { message: 'Oh.', type: 'x' } })).toMatchObject({
      finishReason: 'error',
      error: { code: 'x' },
    })
    expect(openaiResponses.decodeError?.({ code: 'invalid-argument', error: 'No.' })).toEqual({
      code: 'invalid-argument',
      message: 'No.',
    })
  })

  it('counts tokens, including cached and reasoning tokens', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 3 },
    }
    expect(decode([], { usage }).usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
      reasoningTokens: 3,
    })
    expect(decode([], { usage: null })).not.toHaveProperty('usage')
  })
})
