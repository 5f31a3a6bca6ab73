/** Requests for models on hosts with a Chat Completions API, in the form that each host documents. */
import { describe, expect, it } from 'vitest'
import type { LMRequest, ReasoningSetting } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { openaiChatHosts } from '../openai-chat/host-wires.ts'

type Host = keyof typeof openaiChatHosts

function encode(host: Host, model: string, request: Partial<LMRequest>) {
  const losses: Loss[] = []
  const body = openaiChatHosts[host].encode({ messages: [{ role: 'user', content: 'Hi' }], ...request }, model, {
    onLoss: (loss) => losses.push(loss),
  })
  return { body, lost: losses.map(({ path }) => path) }
}

describe('the reasoning setting', () => {
  it.each<[Host, string, ReasoningSetting, object, readonly string[]]>([
    ['groq', 'openai/gpt-oss-120b', 'high', { reasoning_effort: 'high' }, []],
    ['groq', 'openai/gpt-oss-120b', 'off', { reasoning_effort: 'low' }, ['/reasoning']],
    ['groq', 'qwen/qwen3-32b', 'off', { reasoning_effort: 'none' }, []],
    ['groq', 'qwen/qwen3-32b', 'medium', {}, []],
    ['groq', 'llama-3.3-70b-versatile', 'medium', {}, ['/reasoning']],
    ['together', 'openai/gpt-oss-20b', 'medium', { reasoning_effort: 'medium' }, []],
    ['together', 'moonshotai/Kimi-K2.6', 'off', { reasoning: { enabled: false } }, []],
    ['together', 'Qwen/Qwen3.5-9B', 'low', { reasoning: { enabled: true } }, []],
    ['together', 'deepseek-ai/DeepSeek-V4-Pro', 'off', { reasoning: { enabled: false } }, []],
    ['together', 'deepseek-ai/DeepSeek-V4-Pro', 'low', { reasoning_effort: 'high' }, ['/reasoning']],
    ['together', 'MiniMaxAI/MiniMax-M2.7', 'off', {}, ['/reasoning']],
    ['fireworks', 'accounts/fireworks/models/gpt-oss-120b', 'low', { reasoning_effort: 'low' }, []],
    // It isn't documented how these are asked.
    ['fireworks', 'accounts/fireworks/models/kimi-k2p6', 'low', {}, ['/reasoning']],
    ['vllm', 'my-model', 'low', {}, ['/reasoning']],
    ['openrouter', 'anthropic/claude-sonnet-5', 'off', { reasoning: { enabled: false } }, []],
  ])('has the form of the host: %s %s %j', (host, model, reasoning, sent, losses) => {
    const { body, lost } = encode(host, model, { reasoning })
    const { model: _, messages, ...rest } = body
    expect(rest).toEqual(sent)
    expect(lost).toEqual(losses)
  })
})

it('the schema of a reply is sent to models of Groq that accept it', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const typeFor = (model: string) =>
    encode('groq', model, { responseFormat: { type: 'json', schema } }).body.response_format?.type
  expect(['llama-3.3-70b-versatile', 'qwen/qwen3-32b', 'openai/gpt-oss-20b', 'other'].map(typeFor)).toEqual([
    ...['json_object', 'json_object'],
    ...['json_schema', 'json_schema'],
  ])
})

describe('a prompt on OpenRouter', () => {
  const tools = [
    { type: 'function', function: { name: 'search', description: 'Searches.', parameters: { type: 'object' } } },
  ] as const

  it('is marked for Claude, in a conversation that goes on', () => {
    expect(encode('openrouter', 'anthropic/claude-sonnet-4.6', { tools, cache: 'auto' }).body).toMatchObject({
      cache_control: { type: 'ephemeral' },
    })
  })

  it.each<[Host, string, Partial<LMRequest>]>([
    ['openrouter', 'anthropic/claude-sonnet-4.6', { cache: 'auto' }],
    ['openrouter', 'anthropic/claude-sonnet-4.6', { tools, cache: 'off' }],
    ['openrouter', 'openai/gpt-5.4', { tools, cache: 'auto' }],
    ['openrouter', 'qwen/qwen3-max', { tools, cache: 'auto' }],
    ['together', 'anthropic/claude-sonnet-4.6', { tools, cache: 'auto' }],
  ])('is not marked otherwise: %s %s %j', (host, model, request) => {
    expect(encode(host, model, request).body).not.toHaveProperty('cache_control')
  })
})
