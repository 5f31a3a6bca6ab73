/** Tests the tools of a request: they are shaped once, get distinct names, and are strict up to the API's limit. */
import type { ToolSpec } from '@x/tool-core'
import { expect, it } from 'vitest'
import { anthropicRules } from './anthropic-messages/rules.ts'
import { openaiChatRules } from './openai-chat/rules.ts'
import { requestTools } from './request-tools.ts'

const specs = (names: readonly string[]) =>
  names.map((name) => ({
    type: 'function' as const,
    function: { name, description: 'D.', parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
  }))

it('a list is shaped once, unless its tools are strict in another request', () => {
  const list = specs(['a', 'b.c'])
  const made = requestTools(list, openaiChatRules, false)
  expect(requestTools(list, openaiChatRules, false)).toBe(made)
  expect(requestTools(list, openaiChatRules, true)).not.toBe(made)
})

it('a frozen list is shaped once, unless one of its tools can change', () => {
  const list = Object.freeze(specs(['a']))
  const made = requestTools(list, openaiChatRules, false)
  expect(requestTools(list, openaiChatRules, false)).toBe(made)
  Object.assign((list[0] as ToolSpec).function, { name: 'b' })
  expect(requestTools(list, openaiChatRules, false).tools[0]?.name).toBe('b')
})

it('a tool is the same object in every list, also if its name was changed', () => {
  const list = specs(['a', 'b.c'])
  const [, one] = requestTools(list, openaiChatRules, false).tools
  const [, other] = requestTools([...list, ...specs(['d'])], openaiChatRules, false).tools
  expect(one?.tool.function.name).toBe('b_c')
  expect(other).toBe(one)
})

it('a list that was changed in place is shaped again', () => {
  const list = specs(['a'])
  requestTools(list, openaiChatRules, false)
  list.push(...specs(['b']))
  expect(requestTools(list, openaiChatRules, false).tools).toHaveLength(2)
})

it('only the first twenty tools are strict if the API accepts no more', () => {
  const { tools } = requestTools(specs(Array.from({ length: 22 }, (_, index) => `t${index}`)), anthropicRules, true)
  expect(tools.map(({ strict }) => strict)).toEqual([...Array(20).fill(true), false, false])
  expect(tools.flatMap(({ name, losses }) => losses.map((loss) => ({ ...loss, tool: name })))).toEqual(
    ['t20', 't21'].map((tool) => ({
      tool,
      path: '',
      keyword: 'strict',
      action: 'refused',
      note: 'at most 20 tools can be strict',
    })),
  )
})

it("names the value that isn't a tool spec, and the fix", () => {
  const tool = { name: 'search', description: '', args: {} } as unknown as ToolSpec
  expect(() => requestTools([tool], openaiChatRules, false)).toThrow(
    "The request's tools[0] is not a tool spec. Convert it with toSpec(tool).",
  )
})
