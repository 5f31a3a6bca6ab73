import { describe, expect, it } from 'vitest'
import type { Settings } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { bedrockConverse } from '../bedrock-converse/wire.ts'
import { openaiChat } from '../openai-chat/wire.ts'
import { openaiResponses } from '../openai-responses/wire.ts'
import type { WireFormat } from '../wire-format.ts'
import { anthropicFacts } from './anthropic.ts'
import { findFacts } from './find-facts.ts'
import { openaiFacts } from './openai.ts'
import { acceptedSettings } from './plan-settings.ts'

type AnyWire = Pick<WireFormat, 'encode'>

const messages = [{ role: 'user', content: 'Hello' }] as const
const settings: Settings = { temperature: 0, topP: 0.5, maxOutputTokens: 9 }

/** The settings that a model accepts, from the table of the provider whose name it has. */
function settingsFor(model: string, request: { readonly settings: Settings }, lose: (loss: Loss) => void): Settings {
  const facts = findFacts(model, [openaiFacts, anthropicFacts], '')
  const isReasoning = facts.reasoning !== undefined && facts.reasoning !== false && facts.reasoning.byDefault
  return acceptedSettings({ settings: request.settings, facts, isReasoning, assume: () => {}, lose })
}

describe('a model that rejects sampling settings', () => {
  it.each([
    [openaiChat, 'gpt-5'],
    [openaiChat, 'gpt-5.1-chat-latest'],
    [openaiChat, 'o3-mini'],
    [openaiResponses, 'gpt-5.5'],
    [openaiResponses, 'openai/gpt-5-mini'],
    [anthropicMessages, 'claude-opus-4-7'],
    [anthropicMessages, 'claude-sonnet-5-20260301'],
    [openaiChat, 'ft:gpt-5-mini:acme::abc'],
    [openaiChat, 'GPT-5'],
    [anthropicMessages, 'claude-opus-4-10'],
    [bedrockConverse, 'us.anthropic.claude-opus-4-7-v1:0'],
    [bedrockConverse, 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-7-v1:0'],
    [openaiChat, 'ft:gpt-5-mini:acme-chat::abc'],
    [openaiChat, 'openai:gpt-5'],
    [anthropicMessages, 'claude-opus-4-7@20260401'],
    [anthropicMessages, 'Claude-Opus-4.7'],
    [openaiChat, 'anthropic/claude-4.7-opus-20260401'],
  ])('receives none of them, and each is reported as lost: %o', (wire, model) => {
    const losses: Loss[] = []
    const body = wire.encode({ messages, settings }, model, { onLoss: (loss) => losses.push(loss) })
    expect(JSON.stringify(body)).not.toMatch(/temperature|top_?p/i)
    expect(JSON.stringify(body)).toMatch(/tokens"?:9/i)
    expect(losses.filter(({ action }) => action !== 'assumed')).toMatchObject([
      { path: '/settings/temperature', action: 'dropped', note: expect.stringContaining('this model rejects sampling settings') },
      { path: '/settings/topP', action: 'dropped' },
    ])
  })

  it('loses no setting that has the default value', () => {
    const losses: Loss[] = []
    const given = { temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed: 1 }
    expect(settingsFor('gpt-5', { settings: given }, (loss) => losses.push(loss as Loss))).toEqual({ seed: 1 })
    expect(losses).toEqual([])
  })

  it.each([
    ...['gpt-4.1', 'gpt-4o', 'gpt-5.2', 'gpt-5.4-mini', 'gpt-5-chat-latest', 'gpt-oss-120b', 'my-o3', 'llama-3'],
    ...['gpt-35-turbo', 'gpt-41-mini', 'ft:gpt-4o:o3labs::abc', 'ft:gpt-4.1-2025-04-14:acme:gpt-5-style:abc'],
    ...['claude-opus-4@20250514', 'claude-sonnet-4-0', 'claude-4-sonnet-20250514'],
    ...['claude-opus-4-20250514', 'claude-3-7-sonnet-20250219', 'claude-3-5-sonnet-20241022', 'claude'],
  ])("doesn't include %s", (model) => {
    expect(settingsFor(model, { settings }, () => expect.fail())).toBe(settings)
  })

  it.each(['claude-4.5-sonnet-20250929', 'anthropic/claude-4.1-opus', 'claude-opus-4-6', 'claude-sonnet-4-5-20250929'])(
    "doesn't include %s, which accepts either of two",
    (model) => {
      for (const one of [{ temperature: 0 }, { topP: 0.5, topK: 3 }])
        expect(settingsFor(model, { settings: one }, () => expect.fail())).toBe(one)
    },
  )
})

describe('a model that accepts either a temperature or topP', () => {
  const lostBy = (model: string, given: Settings) => {
    const lost: unknown[] = []
    return { kept: settingsFor(model, { settings: given }, (loss) => lost.push(loss.path)), lost }
  }

  it.each([
    ...['claude-opus-4-1-20250805', 'claude-opus-4-5@20251101', 'us.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ...['claude-sonnet-4.6', 'anthropic/claude-4.1-opus', 'claude-opus-4-6'],
  ])('receives the temperature if both are set: %s', (model) => {
    expect(lostBy(model, { temperature: 0, topP: 0.5 })).toEqual({ kept: { temperature: 0 }, lost: ['/settings/topP'] })
  })

  it('receives the setting that differs from the default', () => {
    expect(lostBy('claude-opus-4-6', { temperature: 1, topP: 0.5 })).toEqual({ kept: { topP: 0.5 }, lost: [] })
    expect(lostBy('claude-opus-4-6', { temperature: 0, topP: 1 })).toEqual({ kept: { temperature: 0 }, lost: [] })
  })
})

describe('a model that rejects stop sequences', () => {
  const stop = ['END']

  it.each(['gpt-5', 'openai/gpt-5-mini', 'ft:gpt-5-nano:acme::abc', 'o3', 'o3-2025-04-16', 'o4-mini'])(
    'receives none, which is reported as a loss: %s',
    (model) => {
      const losses: Loss[] = []
      const body = openaiChat.encode({ messages, settings: { stop } }, model, { onLoss: (loss) => losses.push(loss) })
      expect(body).not.toHaveProperty('stop')
      expect(losses).toMatchObject([{ path: '/settings/stop', action: 'dropped', note: 'this model rejects stop sequences' }])
    },
  )

  it.each(['gpt-4.1', 'gpt-5.5', 'gpt-5-chat-latest', 'o1', 'o3-mini', 'claude-opus-4-7', 'gpt-50', 'my-o3'])(
    "doesn't include %s",
    (model) => {
      expect(settingsFor(model, { settings: { stop } }, () => expect.fail())).toEqual({ stop })
    },
  )
})

describe('a model that rejects sampling settings while it reasons', () => {
  const encode = (wire: AnyWire, model: string, providerOptions: object, more: Settings = {}) => {
    const losses: Loss[] = []
    const request = { messages, settings: { ...settings, ...more }, providerOptions: providerOptions as never }
    const body = JSON.stringify(wire.encode(request, model, { onLoss: (loss) => losses.push(loss) }))
    return { body, lost: losses.map(({ path }) => path) }
  }
  const thinking = { type: 'enabled', budget_tokens: 2_000 }

  it.each<[AnyWire, string, object]>([
    [openaiChat, 'gpt-5.1', { reasoning_effort: 'high' }],
    [openaiResponses, 'openai/gpt-5.4-mini', { reasoning: { effort: 'low' } }],
    [anthropicMessages, 'claude-sonnet-4-5', { thinking }],
    [anthropicMessages, 'claude-opus-4-6', { thinking: { type: 'adaptive' } }],
    [bedrockConverse, 'us.anthropic.claude-sonnet-4-5-v1:0', { additionalModelRequestFields: { thinking } }],
  ])('receives none of them with the option for reasoning, and each is reported as lost: %o', (wire, model, providerOptions) => {
    const { body, lost } = encode(wire, model, providerOptions)
    expect(body).not.toMatch(/temperature|top_?p/i)
    expect(lost).toEqual(['/settings/temperature', '/settings/topP'])
  })

  it.each<[AnyWire, string, object]>([
    [openaiChat, 'gpt-5.1', {}],
    [openaiChat, 'gpt-5.2', { reasoning_effort: 'none' }],
    [openaiResponses, 'gpt-5.2', { reasoning: { summary: 'auto' } }],
    [openaiChat, 'gpt-4.1', { reasoning_effort: 'low' }],
    [anthropicMessages, 'claude-3-7-sonnet-20250219', { thinking: { type: 'disabled' } }],
    [anthropicMessages, 'a-deployment', { thinking }],
  ])('%o sends all settings if no option makes %s reason', (wire, model, providerOptions) => {
    const { body, lost } = encode(wire, model, providerOptions)
    expect(body).toMatch(/"temperature":0.*"top_p":0.5/)
    expect(lost).toEqual([])
  })

  it('receives the settings that are accepted during thinking', () => {
    const { body, lost } = encode(anthropicMessages, 'claude-sonnet-4-5', { thinking }, { temperature: 1, topP: 0.95, topK: 3 })
    expect(body).toContain('"top_p":0.95')
    expect(body).not.toMatch(/temperature|top_k/)
    expect(lost).toEqual(['/settings/topK'])
  })
})

describe('the default output limit of Anthropic', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 64_000],
    ['claude-sonnet-5', 128_000],
    ['claude-3-7-sonnet-20250219', 64_000],
    ['claude-opus-4-5', 64_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-opus-4-0', 32_000],
    ['claude-4-opus-20250514', 32_000],
    ['claude-opus-4-10', 128_000],
    ['claude-opus-4@20250514', 32_000],
    ['anthropic/claude-4.1-opus-20250805', 32_000],
    ['Claude-Sonnet-4.5', 64_000],
    ['claude-3-5-haiku-latest', 8_192],
    ['claude-3-opus-20240229', 4_096],
    ['claude-2.1', 4_096],
    ['a-deployment', 4_096],
  ])('for %s is %d tokens', (model, tokens) => {
    expect(anthropicMessages.encode({ messages }, model).max_tokens).toBe(tokens)
  })

  it('leaves room for the thinking budget, and can be overridden', () => {
    const thinking = (budget_tokens: number) => ({ messages, providerOptions: { thinking: { type: 'enabled', budget_tokens } } })
    expect(anthropicMessages.encode(thinking(10_000), 'claude-sonnet-4-5').max_tokens).toBe(64_000)
    expect(anthropicMessages.encode(thinking(10_000), 'a-deployment').max_tokens).toBe(14_096)
    expect(anthropicMessages.encode(thinking(63_000), 'claude-sonnet-4-5').max_tokens).toBe(64_000)
    expect(anthropicMessages.encode({ messages, settings: { maxOutputTokens: 7 } }, 'claude-sonnet-4-5').max_tokens).toBe(7)
  })
})

describe('a reasoning budget', () => {
  const send = (tokens: number, maxOutputTokens?: number) => {
    const notes: unknown[] = []
    const request = { messages, reasoning: { tokens }, settings: { maxOutputTokens } }
    const { thinking } = anthropicMessages.encode(request, 'claude-sonnet-4-5', { onLoss: ({ note }) => notes.push(note) })
    return [thinking, notes]
  }
  const budget = (budget_tokens: number) => ({ type: 'enabled', budget_tokens })

  it("is at most the model's maximum, also if it is larger than the output limit", () => {
    expect(send(63_999)).toEqual([budget(63_999), []])
    for (const tokens of [64_000, 500_000])
      expect(send(tokens)).toEqual([budget(63_999), ['a budget of 63999 is sent, because the range is 1024 to 63999']])
  })

  it("is at most half of the request's output limit if it doesn't fit into that", () => {
    expect(send(500_000, 10_000)).toEqual([budget(5_000), ['a budget of 5000 is sent, because the range is 1024 to 5000']])
    expect(send(9_999, 10_000)).toEqual([budget(9_999), []])
  })
})
