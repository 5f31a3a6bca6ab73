import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { bedrockConverse } from '../bedrock-converse/wire.ts'
import { openaiChat } from '../openai-chat/wire.ts'
import { openaiResponses } from '../openai-responses/wire.ts'
import { findFacts } from './find-facts.ts'
import type { FactFamily } from './model-facts.ts'

const family: FactFamily = {
  name: 'acme',
  rename: (name) => name.replace('the-', ''),
  rows: [
    { models: ['acme-2-mini'], facts: { maxOutputTokens: 1 } },
    { models: ['acme-2'], facts: { maxOutputTokens: 2, contextTokens: 9 }, on: { chat: { maxOutputTokens: 3 } } },
    { models: ['acme-*'], facts: { maxOutputTokens: 4 }, assumed: true },
  ],
}
const limitOf = (model: string, wire = 'responses') => findFacts(model, [family], wire).maxOutputTokens

describe('findFacts', () => {
  it.each([
    ...['acme-2', 'ACME-2', 'acme-2-2026-01-01', 'acme-2-20260101', 'acme-2-latest', 'acme-2@20260101', 'acme-2:free'],
    ...[
      'host/acme-2',
      'host:acme-2',
      'us.host.acme-2-v1:0',
      'ft:acme-2:team:x:1',
      'arn:aws:x:y/us.host.acme-2-v1:0',
      'the-acme-2',
    ],
  ])('finds the row of acme-2 for %s', (model) => {
    expect(limitOf(model)).toBe(2)
  })

  it.each(['acme-2.5', 'acme-2-5', 'acme-2-5-20260101', 'acme-20'])("doesn't take another version for acme-2: %s", (model) => {
    expect(findFacts(model, [family], '')).toMatchObject({ maxOutputTokens: 4, source: 'assumed' })
  })

  it('takes the first row that matches', () => {
    expect(limitOf('acme-2-mini-latest')).toBe(1)
  })

  it.each(['', 'my-acme-2', 'other', 'x'.repeat(100_000), '/', ':', 'ft:', '-', '__proto__'])(
    'knows nothing about %.20s',
    (model) => {
      expect(findFacts(model, [family], '')).toEqual({ source: 'unknown' })
    },
  )

  it('prefers the facts of the wire, then the own facts', () => {
    expect(findFacts('acme-2', [family], 'chat')).toEqual({ maxOutputTokens: 3, contextTokens: 9, source: 'table' })
    expect(findFacts('acme-2', [family], 'chat', { maxOutputTokens: 5 })).toEqual({
      maxOutputTokens: 5,
      contextTokens: 9,
      source: 'table',
    })
  })
})

describe('modelFacts of a wire', () => {
  it('has what its API differs in', () => {
    expect(openaiChat.modelFacts('gpt-5.6-sol')).toMatchObject({ tools: 'without_reasoning', toolSearch: false })
    expect(openaiResponses.modelFacts('gpt-5.6-sol')).toMatchObject({ toolSearch: true, cache: { form: 'key', maxMarks: 4 } })
  })

  it.each([
    [anthropicMessages, 'claude-opus-4-7'],
    [anthropicMessages, 'anthropic/claude-4.7-opus-20260401'],
    [bedrockConverse, 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-7-v1:0'],
  ])('finds Claude by any form of its name', (wire, model) => {
    expect(wire.modelFacts(model)).toMatchObject({ source: 'table', cache: { form: 'marks', minTokens: 2_048 } })
  })
})
