import { describe, expect, it } from 'vitest'
import { conversation, promptOf, sharesOf } from '../../test/wire/prompt-cache.ts'
import type { LMRequest, Loss, Message } from '../index.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { cohereV2 } from './cohere-v2/wire.ts'
import { gemini } from './gemini/wire.ts'
import { mistral } from './mistral/wire.ts'
import { ollama } from './ollama/wire.ts'
import { openaiChatHosts } from './openai-chat/host-wires.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { WireFormat } from './wire-format.ts'

const CLAUDE = 'claude-sonnet-4-6'
const MARK = { cache_control: { type: 'ephemeral' } }
const POINT = { cachePoint: { type: 'default' } }
const BREAKPOINT = { prompt_cache_breakpoint: { mode: 'explicit' } }

const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, description: '', parameters: { type: 'object' } },
})
const system = (content: string): Message => ({ role: 'system', content })
const user = (content: string): Message => ({ role: 'user', content })
const called = (id: string): readonly Message[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name: 'a', arguments: '{}' }] },
  { role: 'tool', callId: id, name: 'a', content: `Result ${id}` },
]
const GROWN: LMRequest = {
  tools: [tool('a'), tool('b')],
  messages: [system('Be brief.'), system('Be kind.'), user('Hi'), ...called('1'), ...called('2')],
}

function encode(wire: WireFormat, model: string, request: LMRequest) {
  const losses: Loss[] = []
  const body = wire.encode(request, model, { onLoss: (loss) => losses.push(loss) }) as Readonly<Record<string, unknown>>
  return { body, losses: losses.filter(({ keyword }) => keyword === 'cache').map(({ note }) => note) }
}

/** The texts up to which the prompt is marked. */
const marked = (wire: WireFormat, model: string, request: LMRequest) =>
  promptOf(encode(wire, model, request).body)
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => /Result \d|Be kind|"name":"\w"|"Hi"/.exec(text)?.[0] ?? text)

describe('the marks of a request', () => {
  it('are after the tools, the system prompt, the previous turn and the last turn', () => {
    for (const [wire, model] of [
      [anthropicMessages, CLAUDE],
      [bedrockConverse, 'anthropic.claude-sonnet-4-6'],
    ] as const)
      expect(marked(wire, model, { ...GROWN, cache: 'auto' })).toEqual(['"name":"b"', 'Be kind', 'Result 1', 'Result 2'])
  })

  it('have the form of the Messages API', () => {
    const { body } = encode(anthropicMessages, CLAUDE, { ...GROWN, cache: ['tools', 'system', 2] })
    expect(body).toMatchObject({
      tools: [{ name: 'a' }, { name: 'b', ...MARK }],
      system: [{ type: 'text', text: 'Be brief.\n\nBe kind.', ...MARK }],
    })
    expect((body.messages as object[])[0]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Hi', ...MARK }] })
  })

  it('have the form of Converse, and Nova has none after the tools', () => {
    const { body } = encode(bedrockConverse, 'anthropic.claude-sonnet-4-6', { ...GROWN, cache: ['tools', 'system', 2] })
    expect((body.toolConfig as { tools: object[] }).tools[2]).toEqual(POINT)
    expect(body.system).toEqual([{ text: 'Be brief.' }, { text: 'Be kind.' }, POINT])
    expect((body.messages as object[])[0]).toEqual({ role: 'user', content: [{ text: 'Hi' }, POINT] })
    expect(marked(bedrockConverse, 'amazon.nova-lite-v1:0', { ...GROWN, cache: 'auto' })).toEqual([
      'Be kind',
      'Result 1',
      'Result 2',
    ])
  })

  it('are breakpoints for gpt-5.6, in addition to the automatic one, or in its place', () => {
    const chat = encode(openaiChat, 'gpt-5.6', { ...GROWN, cache: 'auto' }).body
    expect(chat.prompt_cache_options).toBeUndefined()
    expect((chat.messages as object[])[1]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Be kind.', ...BREAKPOINT }],
    })
    expect(marked(openaiChat, 'gpt-5.6', { ...GROWN, cache: 'auto' })).toEqual(['Be kind'])
    const { body } = encode(openaiResponses, 'gpt-5.6', { ...GROWN, cache: ['system', 2, 'turn'] })
    expect(body.prompt_cache_options).toEqual({ mode: 'explicit' })
    expect(body.input).toMatchObject([
      { content: 'Be brief.' },
      { content: [{ type: 'input_text', text: 'Be kind.', ...BREAKPOINT }] },
      { content: [{ type: 'input_text', text: 'Hi', ...BREAKPOINT }] },
      ...[{ type: 'function_call' }, { output: 'Result 1' }, { type: 'function_call' }],
      { output: [{ type: 'input_text', text: 'Result 2', ...BREAKPOINT }] },
    ])
    expect(encode(openaiResponses, 'gpt-5.6', { ...GROWN, cache: 'off' }).body.prompt_cache_options).toEqual({ mode: 'explicit' })
  })

  it('are not after a turn that is rarely continued, because a written cache costs more', () => {
    const request: LMRequest = { messages: [system('Be kind.'), user('Hi')], cache: 'auto' }
    expect(marked(anthropicMessages, CLAUDE, request)).toEqual(['Be kind'])
    expect(marked(anthropicMessages, CLAUDE, { ...request, tools: [tool('a')] })).toEqual(['"name":"a"', 'Be kind', '"Hi"'])
    expect(marked(anthropicMessages, CLAUDE, { ...request, cache: ['turn'] })).toEqual(['"Hi"'])
  })

  it('are not on thinking, and not on a shared block of an earlier request', () => {
    const metadata = {
      'anthropic-messages': {
        content: [
          { type: 'text', text: 'Hm' },
          { type: 'thinking', thinking: 'x', signature: 's' },
        ],
      },
    }
    const messages: Message[] = [user('Hi'), { role: 'assistant', content: 'Hm', metadata }, user('Go on.')]
    const earlier = encode(anthropicMessages, CLAUDE, { messages, cache: ['turn'] }).body
    const text = JSON.stringify(earlier)
    const later = encode(anthropicMessages, CLAUDE, { messages: [...messages, ...called('1')], cache: ['turn'] }).body
    expect(JSON.stringify(earlier)).toBe(text)
    expect(JSON.stringify(later).match(/cache_control/g)).toHaveLength(1)
  })

  it('are none without a wish, with `off`, for an unknown model, and on APIs without marks', () => {
    const plain = encode(anthropicMessages, CLAUDE, GROWN).body
    expect(encode(anthropicMessages, CLAUDE, { ...GROWN, cache: 'off' }).body).toEqual(plain)
    expect(JSON.stringify(plain)).not.toContain('cache')
    for (const [wire, model] of [
      [anthropicMessages, 'my-model'],
      [bedrockConverse, 'meta.llama3-1-70b-instruct-v1:0'],
      [gemini, 'gemini-3-pro'],
      [cohereV2, 'command-a-03-2025'],
      [ollama, 'llama3.2'],
      [openaiChat, 'my-model'],
      [openaiChat, 'claude-sonnet-4-6'],
      [openaiChatHosts.openrouter, 'openai/gpt-5.6'],
    ] as const) {
      const { body, losses } = encode(wire, model, { ...GROWN, cache: 'auto' })
      expect([body, losses]).toEqual([encode(wire, model, GROWN).body, []])
      expect(encode(wire, model, { ...GROWN, cache: ['system'] }).losses).toEqual(['no marks are known for this model and API'])
    }
  })

  it('are at most as many as allowed, and others are reported as lost', () => {
    const facts = { cache: { form: 'marks', maxMarks: 2 } } as const
    const auto = anthropicMessages.encode({ ...GROWN, cache: 'auto' }, CLAUDE, { facts })
    expect(promptOf(auto).filter(({ isMarked }) => isMarked)).toHaveLength(2)
    const many = encode(anthropicMessages, CLAUDE, { ...GROWN, cache: ['tools', 'system', 2, 3, 'turn', 99] })
    expect(many.losses).toEqual([
      'the request has no message 99 to mark',
      'the model accepts 4 marks, so the first 1 of 5 are left out',
    ])
    expect(JSON.stringify(many.body).match(/cache_control/g)).toHaveLength(4)
    expect(encode(openaiResponses, 'gpt-5.6', { ...GROWN, cache: ['tools', 3] }).losses).toEqual([
      'this API has no mark after "tools"',
      "message 3 is the model's, which this API can't mark",
    ])
  })
})

describe('the key of a request', () => {
  const keyOf = (wire: WireFormat, model: string, request: LMRequest) => encode(wire, model, request).body.prompt_cache_key

  it.each([
    [openaiChat, 'gpt-5.4'],
    [openaiResponses, 'gpt-5.4'],
    [mistral, 'mistral-large-latest'],
  ] as const)('is the same for all steps of a conversation, and differs for another one: $name', (wire, model) => {
    const key = keyOf(wire, model, { ...GROWN, cache: 'auto' })
    expect(key).toMatch(/^[0-9a-z]{14}$/)
    expect(keyOf(wire, model, { messages: GROWN.messages.slice(0, 3), cache: 'auto' })).toBe(key)
    expect(keyOf(wire, model, { messages: [...GROWN.messages.slice(0, 2), user('Hello')], cache: 'auto' })).not.toBe(key)
    expect(keyOf(wire, model, { ...GROWN, cache: 'off' })).toBeUndefined()
    expect(keyOf(wire, model, GROWN)).toBeUndefined()
    expect(
      encode(wire, model, { ...GROWN, cache: 'auto', providerOptions: { prompt_cache_key: 'mine' } }).body.prompt_cache_key,
    ).toBe('mine')
  })

  it('is not sent to other hosts, or with a prompt without a message of the user', () => {
    expect(keyOf(openaiChatHosts.groq, 'openai/gpt-5.4', { ...GROWN, cache: 'auto' })).toBeUndefined()
    expect(keyOf(openaiChat, 'gpt-5.4', { messages: [system('Hi')], cache: 'auto' })).toBeUndefined()
  })
})

describe('a conversation of 30 steps', () => {
  it.each([
    [anthropicMessages, CLAUDE, 'marks'],
    [bedrockConverse, 'anthropic.claude-sonnet-4-6', 'marks'],
    [bedrockConverse, 'amazon.nova-lite-v1:0', 'marks'],
    [openaiChat, 'gpt-5.4', 'prefix'],
    [openaiResponses, 'gpt-5.6', 'prefix'],
    [gemini, 'gemini-3-pro', 'prefix'],
    [mistral, 'mistral-large-latest', 'prefix'],
    [cohereV2, 'command-a-03-2025', 'prefix'],
    [ollama, 'llama3.2', 'prefix'],
  ] as const)('is read from the cache up to the end of the previous prompt: $name', (wire, model, caching) => {
    const { read, possible } = sharesOf(conversation(wire, model, 'auto'), caching)
    expect(possible).toBeGreaterThan(0.9)
    expect(read / possible).toBeGreaterThan(0.995)
  })

  it('is not read from the cache without marks, and less with only one after each turn', () => {
    expect(sharesOf(conversation(anthropicMessages, CLAUDE, undefined), 'marks').read).toBe(0)
    const { read, possible } = sharesOf(conversation(anthropicMessages, CLAUDE, ['turn']), 'marks')
    expect(read / possible).toBeLessThan(0.95)
  })
})
