import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../protocol.ts'
import { rescueCalls } from './rescue.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', description: 'Weather.', parameters } }]
const CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'

const rescue = (text: string, more: Partial<LMResponse> = {}) => rescueCalls({ text, toolCalls: [], ...more }, { tools })

describe('a call that leaked into prose', () => {
  it.each([
    ['hermes', `I will look.\n<tool_call>\n${CALL}\n</tool_call>`, 'I will look.'],
    ['mistral', `[TOOL_CALLS][${CALL}]`, ''],
    ['qwen3_coder', '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>', ''],
    ['bare JSON', CALL, ''],
  ])('is a call, and tagged: %s', async (_, text, rest) => {
    const response = await rescue(text)
    expect(response.text).toBe(rest)
    expect(response.toolCalls).toMatchObject([{ name: 'get_weather', tags: ['rescued'] }])
    expect(JSON.parse(response.toolCalls[0]?.arguments ?? '')).toEqual({ city: 'Oslo' })
  })
})

describe('ADP-06: nothing is a call', () => {
  it.each([
    ['of another tool', `<tool_call>${CALL.replace('get_weather', 'delete_all')}</tool_call>`],
    ['with arguments that do not fit', `<tool_call>${CALL.replace('"Oslo"', '5')}</tool_call>`],
    ['with arguments that are no JSON', `<tool_call>${CALL.replace('"Oslo"', "'Oslo'")}</tool_call>`],
    ['without arguments', '<tool_call>{"name": "get_weather"}</tool_call>'],
    ['in a code fence', `Write:\n\`\`\`\n<tool_call>${CALL}</tool_call>\n\`\`\``],
    ['that is JSON in prose', `For example ${CALL}`],
    ['that is JSON before prose', `${CALL} is what you would write.`],
    ['before prose', `<tool_call>${CALL}</tool_call> is how it is done.`],
    ['that is cut off', `<tool_call>${CALL.slice(0, -4)}`],
    ['in reasoning', `<think><tool_call>${CALL}</tool_call></think>Done.`],
    ['in plain text', 'Nothing to do.'],
  ])('%s', async (_, text) => {
    const response = { text, toolCalls: [] }
    expect(await rescueCalls(response, { tools })).toBe(response)
  })

  it('beside calls of the model, without tools, or in a reply that was cut off', async () => {
    const text = `<tool_call>${CALL}</tool_call>`
    const called = { text, toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{}' }] }
    expect(await rescueCalls(called, { tools })).toBe(called)
    expect((await rescueCalls({ text, toolCalls: [] }, { tools: [] })).toolCalls).toEqual([])
    expect((await rescue(text, { finish: 'length' })).toolCalls).toEqual([])
  })
})
