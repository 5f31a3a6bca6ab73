/** Tests how a single tool is shaped. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { geminiRules } from './gemini/rules.ts'
import { openaiChatRules } from './openai-chat/rules.ts'
import { shape } from './shape-tool.ts'
import type { WireFormat } from './wire-format.ts'

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  args: Type.Object({ query: Type.String(), limit: Type.Integer({ minimum: 1, exclusiveMaximum: 50, default: 10 }) }),
  execute: () => [],
})
const wire: WireFormat = {
  name: 'test',
  path: '/',
  encode: () => ({}),
  decode: () => ({ text: '', toolCalls: [] }),
  toolRules: (model) => (model === 'small' ? geminiRules : openaiChatRules),
}

it('returns the same result for the same tool', () => {
  expect(shape(search, wire)).toBe(shape(search, wire))
})

it('depends on the model, and reports losses', () => {
  expect(shape(search, wire).losses).toEqual([])
  expect(shape(search, wire, { model: 'small' }).losses).toEqual([
    { path: '/properties/limit', keyword: 'exclusiveMaximum', action: 'moved_to_description' },
  ])
})

it("removes a default that strict mode doesn't support from the arguments", () => {
  const { strict, restore } = shape(search, wire, { strict: true })
  expect([strict, restore({ query: 'x', limit: null })]).toEqual([true, { query: 'x' }])
})

it('accepts specs, and makes their names valid', () => {
  const spec = {
    type: 'function' as const,
    function: { name: 'a.b', description: 'B.', parameters: { type: 'object', properties: {} } },
  }
  expect(shape(spec, wire)).toMatchObject({ name: 'a.b', tool: { function: { name: 'a_b' } } })
})

it('leaves a tool unchanged if the wire format has no rules', () => {
  const { toolRules: _, ...open } = wire
  expect(shape(search, open)).toMatchObject({ losses: [], strict: false, restores: false })
})
