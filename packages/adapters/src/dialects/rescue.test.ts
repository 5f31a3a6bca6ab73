import { describe, expect, it } from 'vitest'
import type { LMResponse } from '../protocol/protocol.ts'
import { rescueCalls } from './rescue.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', description: 'Weather.', parameters } }]
const CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
const KIMI = '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>'

const rescue = (text: string, more: Partial<LMResponse> = {}) => rescueCalls({ text, toolCalls: [], ...more }, { tools })

describe('a call inside prose', () => {
  it.each([
    ['hermes', `I will look.\n<tool_call>\n${CALL}\n</tool_call>`, 'I will look.'],
    ['mistral', `[TOOL_CALLS][${CALL}]`, ''],
    ['qwen3_coder', '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>', ''],
    ['bare JSON', CALL, ''],
  ])('is returned as a call, and tagged: %s', async (_, text, rest) => {
    const response = await rescue(text)
    expect(response.text).toBe(rest)
    expect(response.toolCalls).toMatchObject([{ name: 'get_weather', tags: ['rescued'] }])
    expect(JSON.parse(response.toolCalls[0]?.arguments ?? '')).toEqual({ city: 'Oslo' })
  })
})

describe('a response with a rescued call', () => {
  it("keeps the model's reasoning after the provider's", async () => {
    const text = `<think>Let me see.</think>\n<tool_call>${CALL}</tool_call>`
    expect(await rescue(text)).toMatchObject({ text: '', reasoning: 'Let me see.', toolCalls: [{ name: 'get_weather' }] })
    expect((await rescue(text, { reasoning: 'Hm.' })).reasoning).toBe('Hm.\nLet me see.')
    const said = await rescue(`<think>Let me see.</think>I will look.<tool_call>${CALL}</tool_call>`)
    expect(said).toMatchObject({ text: 'I will look.', reasoning: 'Let me see.', toolCalls: [{ name: 'get_weather' }] })
  })

  it('has the finish reason tool-calls, if there is a finish reason', async () => {
    const text = `<tool_call>${CALL}</tool_call>`
    expect((await rescue(text, { finishReason: 'stop', rawFinishReason: 'end' })).finishReason).toBe('tool-calls')
    expect((await rescue(text, { finishReason: 'other' })).finishReason).toBe('other')
    expect(await rescue(text)).not.toHaveProperty('finishReason')
  })
})

describe('no call is rescued', () => {
  it.each([
    ['to another tool', `<tool_call>${CALL.replace('get_weather', 'delete_all')}</tool_call>`],
    ['with arguments that do not match the schema', `<tool_call>${CALL.replace('"Oslo"', '5')}</tool_call>`],
    ['with arguments that are not JSON', `<tool_call>${CALL.replace('"Oslo"', "'Oslo'")}</tool_call>`],
    ['without arguments', '<tool_call>{"name": "get_weather"}</tool_call>'],
    ['in a code fence', `Write:\n\`\`\`\n<tool_call>${CALL}</tool_call>\n\`\`\``],
    ['in a fence of tildes', `Write:\n~~~\n<tool_call>${CALL}</tool_call>\n~~~`],
    ['in a longer fence, which is never closed', `\`\`\`\`md\n\`\`\`\n\`\`\`\n<tool_call>${CALL}</tool_call>`],
    ['in a fence in a quote', `> \`\`\`\n> <tool_call>${CALL}</tool_call>`],
    ['in a fence in a list', `- \`\`\`\n  <tool_call>${CALL}</tool_call>`],
    ['after a backtick', `Write \`<tool_call>${CALL}</tool_call>`],
    ['after a quotation mark', `Write "<tool_call>${CALL}</tool_call>`],
    ['in a quoted line', `They wrote:\n> <tool_call>${CALL}</tool_call>`],
    ['before prose that is dropped', `<|tool_calls_section_begin|>${KIMI}<|tool_calls_section_end|> is how it is done.`],
    ['before prose, after reasoning', `<think>Hm.</think><tool_call>${CALL}</tool_call> is how it is done.`],
    ['that is JSON in prose, after reasoning', `<think>Hm.</think>For example ${CALL}`],
    ['that is JSON in prose', `For example ${CALL}`],
    ['that is JSON before prose', `${CALL} is what you would write.`],
    ['before prose', `<tool_call>${CALL}</tool_call> is how it is done.`],
    ['that is truncated', `<tool_call>${CALL.slice(0, -4)}`],
    ['in reasoning', `<think><tool_call>${CALL}</tool_call></think>Done.`],
    ['in plain text', 'Nothing to do.'],
  ])('%s', async (_, text) => {
    const response = { text, toolCalls: [] }
    expect(await rescueCalls(response, { tools })).toBe(response)
  })

  it('if the model made other calls, if there are no tools, or if the reply was truncated', async () => {
    const text = `<tool_call>${CALL}</tool_call>`
    const called = { text, toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{}' }] }
    expect(await rescueCalls(called, { tools })).toBe(called)
    expect((await rescueCalls({ text, toolCalls: [] }, { tools: [] })).toolCalls).toEqual([])
    expect((await rescue(text, { finishReason: 'length' })).toolCalls).toEqual([])
  })
})
