/**
 * A conversation of three turns with reasoning, on each wire format: the setting is mapped to the model, and what the provider must receive
 * back is in the requests that follow. The expected bodies have the types of the official clients.
 */
import type Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentParameters, ThinkingLevel } from '@google/genai'
import type { LMRequest, LMResponse, Loss, Message, ReasoningSetting } from '@x/adapters'
import {
  anthropicMessages,
  bedrockConverse,
  cohereV2,
  gemini,
  mistral,
  ollama,
  openaiChatHosts,
  openaiResponses,
  type WireFormat,
} from '@x/adapters/wire'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'

const tools = [
  {
    type: 'function',
    function: { name: 'search', description: 'Searches.', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
  },
] as const

/** Holds three turns, in which each of the first two replies calls `search`, and returns the three bodies and all losses. */
function converse(wire: WireFormat, model: string, reasoning: ReasoningSetting, replies: readonly [unknown, unknown]) {
  const losses: Loss[] = []
  const messages: Message[] = [{ role: 'user', content: 'Which?' }]
  const bodies: unknown[] = []
  const ask = (): LMRequest => {
    const request = { messages: [...messages], tools, reasoning }
    bodies.push(JSON.parse(JSON.stringify(wire.encode(request, model, { onLoss: (loss) => losses.push(loss) }))))
    return request
  }
  for (const reply of replies) {
    const request = ask()
    const { text, toolCalls, reasoning: thought, metadata, error }: LMResponse = wire.decode(reply, request, model)
    expect([error, toolCalls.length, thought]).toEqual([undefined, 1, expect.stringContaining('Hm')])
    messages.push({ role: 'assistant', content: text, toolCalls, reasoning: thought, metadata })
    for (const call of toolCalls) messages.push({ role: 'tool', callId: call.id, name: call.name, content: 'found' })
  }
  ask()
  return { bodies, losses }
}

const twice = <Reply>(make: (turn: 1 | 2) => Reply): readonly [Reply, Reply] => [make(1), make(2)]

describe('reasoning over three turns', () => {
  it('of Anthropic has the effort, and thinking blocks with their signatures', () => {
    const content = (turn: number): Anthropic.ContentBlockParam[] => [
      { type: 'thinking', thinking: `Hm ${turn}.`, signature: `sig-${turn}` },
      { type: 'tool_use', id: `toolu_${turn}`, name: 'search', input: { q: 'tea' } },
    ]
    const result = (turn: number): Anthropic.MessageParam => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: 'found' }],
    })
    const reply = (turn: number) => ({ type: 'message', role: 'assistant', content: content(turn), stop_reason: 'tool_use' })
    const { bodies, losses } = converse(anthropicMessages, 'claude-opus-5-5', 'low', twice(reply))
    const expected: Anthropic.MessageCreateParams = {
      model: 'claude-opus-5-5',
      max_tokens: 128_000,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Which?' }] },
        { role: 'assistant', content: content(1) },
        result(1),
        { role: 'assistant', content: content(2) },
        result(2),
      ],
    }
    expect(bodies[2]).toMatchObject(expected as object)
    expect(losses).toEqual([])
  })

  it('of Anthropic has the budget of an older model, and "off" where it can be off', () => {
    const body = (model: string, reasoning: ReasoningSetting) =>
      anthropicMessages.encode({ messages: [{ role: 'user', content: 'Hi' }], reasoning }, model) as Anthropic.MessageCreateParams
    expect(body('claude-sonnet-4-5', { tokens: 5_000 }).thinking).toEqual({ type: 'enabled', budget_tokens: 5_000 })
    expect(body('claude-opus-5', 'off').thinking).toEqual({ type: 'disabled' })
    expect(body('claude-opus-4-8', 'off').thinking).toBeUndefined()
  })

  it('of OpenAI has the effort, and reasoning items with their encrypted content', () => {
    const reasoning = (turn: number) => ({
      type: 'reasoning' as const,
      id: `rs_${turn}`,
      summary: [{ type: 'summary_text' as const, text: `Hm ${turn}.` }],
      encrypted_content: `gAAA-${turn}`,
    })
    const call = (turn: number) => ({
      type: 'function_call' as const,
      id: `fc_${turn}`,
      call_id: `call_${turn}`,
      name: 'search',
      arguments: '{"q":"tea"}',
    })
    const { bodies, losses } = converse(
      openaiResponses,
      'gpt-5.6-sol',
      'medium',
      twice((turn) => ({ status: 'completed', output: [reasoning(turn), call(turn)] })),
    )
    const expected: Partial<OpenAI.Responses.ResponseCreateParams> = {
      model: 'gpt-5.6-sol',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'medium' },
    }
    expect(bodies[2]).toMatchObject(expected)
    const { input } = bodies[2] as { readonly input: readonly OpenAI.Responses.ResponseInputItem[] }
    expect(input.filter(({ type }) => type === 'reasoning')).toMatchObject([
      { encrypted_content: 'gAAA-1' },
      { encrypted_content: 'gAAA-2' },
    ])
    expect(input.map((item) => item.type ?? 'user')).toEqual([
      'user',
      ...['reasoning', 'function_call', 'function_call_output'],
      ...['reasoning', 'function_call', 'function_call_output'],
    ])
    expect(losses).toEqual([])
  })

  it('of Gemini has the level, and thought signatures of calls', () => {
    const parts = (turn: number) => [
      { thought: true, text: `Hm ${turn}.` },
      { functionCall: { name: 'search', args: { q: 'tea' } }, thoughtSignature: `sig-${turn}` },
    ]
    const { bodies, losses } = converse(
      gemini,
      'gemini-3.1-pro-preview',
      'high',
      twice((turn) => ({ candidates: [{ content: { role: 'model', parts: parts(turn) }, finishReason: 'STOP' }] })),
    )
    const config: GenerateContentParameters['config'] = { thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH } }
    expect(bodies[2]).toMatchObject({ generationConfig: config })
    expect(JSON.stringify(bodies[2])).toMatch(/"thoughtSignature":"sig-1".*"thoughtSignature":"sig-2"/)
    expect(losses).toEqual([])
  })

  it('of Claude on Bedrock has the effort, and reasoning with its signature', () => {
    const content = (turn: number) => [
      { reasoningContent: { reasoningText: { text: `Hm ${turn}.`, signature: `sig-${turn}` } } },
      { toolUse: { toolUseId: `tool_${turn}`, name: 'search', input: { q: 'tea' } } },
    ]
    const { bodies, losses } = converse(
      bedrockConverse,
      'us.anthropic.claude-sonnet-5',
      'high',
      twice((turn) => ({ output: { message: { role: 'assistant', content: content(turn) } }, stopReason: 'tool_use' })),
    )
    expect(bodies[2]).toMatchObject({
      inferenceConfig: { maxTokens: 128_000 },
      additionalModelRequestFields: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      messages: [{}, { content: content(1) }, {}, { content: content(2) }, {}],
    })
    expect(losses).toEqual([])
  })

  it('of Mistral has the nearest effort, which is a loss, and thinking in its place', () => {
    const reply = (turn: number) => ({
      choices: [
        {
          message: {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: [{ type: 'text', text: `Hm ${turn}.` }] }],
            tool_calls: [{ id: `call0000${turn}`, function: { name: 'search', arguments: '{"q":"tea"}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    })
    const { bodies, losses } = converse(mistral, 'mistral-medium-2604', 'low', twice(reply))
    expect(bodies[2]).toMatchObject({ reasoning_effort: 'high' })
    expect(JSON.stringify(bodies[2])).toMatch(/Hm 1\..*Hm 2\./)
    expect(losses.map(({ path, action }) => [path, action])).toEqual([0, 1, 2].map(() => ['/reasoning', 'replaced']))
  })

  it('of Cohere has the budget, and the plan of each call', () => {
    const reply = (turn: number) => ({
      message: {
        role: 'assistant',
        tool_plan: `Hm ${turn}.`,
        tool_calls: [{ id: `search_${turn}`, type: 'function', function: { name: 'search', arguments: '{"q":"tea"}' } }],
      },
      finish_reason: 'TOOL_CALL',
    })
    const { bodies, losses } = converse(cohereV2, 'command-a-reasoning-08-2025', { tokens: 900 }, twice(reply))
    expect(bodies[2]).toMatchObject({ thinking: { type: 'enabled', token_budget: 900 } })
    expect(JSON.stringify(bodies[2])).toMatch(/Hm 1\..*Hm 2\./)
    expect(losses).toEqual([])
  })

  it('of Ollama has the switch, and the thinking of each turn', () => {
    const reply = (turn: number) => ({
      message: {
        role: 'assistant',
        content: '',
        thinking: `Hm ${turn}.`,
        tool_calls: [{ function: { name: 'search', arguments: { q: 'tea' } } }],
      },
      done: true,
      done_reason: 'stop',
    })
    const { bodies, losses } = converse(ollama, 'qwen3:8b', 'high', twice(reply))
    expect(bodies[2]).toMatchObject({ think: true })
    expect(JSON.stringify(bodies[2])).toMatch(/Hm 1\..*Hm 2\./)
    expect(losses).toEqual([])
  })

  it('of OpenRouter has the effort, and the reasoning details of each turn', () => {
    const reply = (turn: number) => ({
      choices: [
        {
          message: {
            role: 'assistant',
            content: '',
            reasoning: `Hm ${turn}.`,
            reasoning_details: [{ type: 'reasoning.encrypted', data: `enc-${turn}` }],
            tool_calls: [{ id: `call_${turn}`, type: 'function', function: { name: 'search', arguments: '{"q":"tea"}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    })
    const { bodies, losses } = converse(openaiChatHosts.openrouter, 'openai/gpt-5.6-sol', 'low', twice(reply))
    expect(bodies[2]).toMatchObject({ reasoning: { effort: 'low' } })
    expect(JSON.stringify(bodies[2])).toMatch(/enc-1.*enc-2/)
    expect(losses).toEqual([])
  })
})
