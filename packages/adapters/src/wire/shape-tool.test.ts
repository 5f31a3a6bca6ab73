/** A tool, shaped by itself. */
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

it('is the same from call to call', () => {
  expect(shape(search, wire)).toBe(shape(search, wire))
})

it('follows the model, and says what that costs', () => {
  expect(shape(search, wire).losses).toEqual([])
  expect(shape(search, wire, { model: 'small' }).losses).toEqual([
    { path: '/properties/limit', keyword: 'exclusiveMaximum', action: 'moved_to_description' },
  ])
})

it('a default that was left out in strict mode is left out of the args', () => {
  const { strict, restore } = shape(search, wire, { strict: true })
  expect([strict, restore({ query: 'x', limit: null })]).toEqual([true, { query: 'x' }])
})

it('takes specs, and makes their names legal', () => {
  const spec = {
    type: 'function' as const,
    function: { name: 'a.b', description: 'B.', parameters: { type: 'object', properties: {} } },
  }
  expect(shape(spec, wire)).toMatchObject({ name: 'a.b', tool: { function: { name: 'a_b' } } })
})

it('leaves a tool alone for a wire that has no rules', () => {
  const { toolRules: _, ...open } = wire
  expect(shape(search, open)).toMatchObject({ losses: [], strict: false, restores: false })
})
