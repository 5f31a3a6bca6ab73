import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { deepseekV31 } from '../../deepseek-v31.ts'
import { deepseekV32 } from '../../deepseek-v32.ts'
import type { Dialect } from '../../define/dialect.ts'
import { functionaryV31 } from '../../functionary-v31.ts'
import { functionaryV32 } from '../../functionary-v32.ts'
import { gemma4 } from '../../gemma4.ts'
import { glm45 } from '../../glm45.ts'
import { glm47 } from '../../glm47.ts'
import { hunyuanV3 } from '../../hunyuan-v3.ts'
import { hunyuanV4 } from '../../hunyuan-v4.ts'
import { kimiK2 } from '../../kimi-k2.ts'
import { kimiK3 } from '../../kimi-k3.ts'
import { minimaxM2 } from '../../minimax-m2.ts'
import { mistral } from '../../mistral.ts'
import { morphXml } from '../../morph-xml.ts'
import { poolsideV1 } from '../../poolside-v1.ts'
import { qwen3Coder } from '../../qwen3-coder.ts'
import { reactText } from '../../react-text.ts'
import { seedOss } from '../../seed-oss.ts'
import { step3 } from '../../step3.ts'
import { xlam } from '../../xlam.ts'

const tool: ToolSpec = {
  type: 'function',
  function: { name: 'find', description: '', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const args = '{"city": "Oslo"}'
const call = `{"name": "find", "arguments": ${args}}`

/** Dialects with the text of a call before and after its arguments. */
const named: readonly (readonly [Dialect, string, string])[] = [
  [glm45, '<tool_call>find\n', '</tool_call>'],
  [glm47, '<tool_call>find', '</tool_call>'],
  [poolsideV1, '<tool_call>find\n', '\n</tool_call>'],
  [hunyuanV3, '<tool_call>find<tool_sep>\n', '</tool_call>'],
  [hunyuanV4, '<tool_call:opensource>find', '</tool_call:opensource>'],
  [qwen3Coder, '<tool_call><function=find>', '</function></tool_call>'],
  [seedOss, '<seed:tool_call><function=find>', '</function></seed:tool_call>'],
  [minimaxM2, '<minimax:tool_call><invoke name="find">', '</invoke></minimax:tool_call>'],
  [deepseekV32, '<｜DSML｜function_calls><｜DSML｜invoke name="find">', '</｜DSML｜invoke></｜DSML｜function_calls>'],
  [
    step3,
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find">',
    '</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  ],
  [functionaryV31, '<function=find>', '</function>'],
  [functionaryV32, '>>>find\n', ''],
  [kimiK2, '<|tool_call_begin|>find<|tool_call_argument_begin|>', '<|tool_call_end|>'],
  [deepseekV31, '<｜tool▁call▁begin｜>find<｜tool▁sep｜>', '<｜tool▁call▁end｜>'],
  [mistral, '[TOOL_CALLS]find[ARGS]', ''],
  [mistral, '[TOOL_CALLS]find', ''],
  [reactText, 'Action: find\nAction Input: ', ''],
  [morphXml, '<find>', '</find>'],
]

const whole: readonly (readonly [Dialect, string, string])[] = [
  [glm47, '<tool_call>', '</tool_call>'],
  [qwen3Coder, '<tool_call>', '</tool_call>'],
  [gemma4, '<|tool_call>', '<tool_call|>'],
  [mistral, '[TOOL_CALLS]', ''],
  [xlam, '[TOOL_CALLS]', ''],
]

const cases = [
  ...named.map((row) => ({ row, json: args, kind: 'arguments' })),
  ...whole.map((row) => ({ row, json: call, kind: 'a call' })),
].map(({ row: [dialect, open, close], json, kind }) => ({ name: dialect.name, dialect, open, close, json, kind }))

describe.each(cases)('$name with $kind in a code fence after $open', ({ dialect, open, close, json }) => {
  it.each([`\`\`\`json\n${json}\n\`\`\``, `\n\`\`\`json\n${json}\n\`\`\`\n`, `\`\`\`\n${json}\n\`\`\``, `~~~json\n${json}\n~~~`])(
    'parses the call: %j',
    (fenced) => {
      const { text, toolCalls } = dialect.parse(open + fenced + close, { tools: [tool] })
      expect(toolCalls.map((read) => [read.name, JSON.parse(read.arguments)])).toEqual([['find', JSON.parse(args)]])
      expect(text).toBe('')
    },
  )
})

it.each<readonly [Dialect, string]>([
  [glm45, '<tool_call>find\nthe city\nof Oslo</tool_call>'],
  [glm47, '<tool_call>find\n`{"city": "Oslo"}`</tool_call>'],
  [minimaxM2, '<minimax:tool_call><invoke name="find">Oslo</invoke></minimax:tool_call>'],
  [glm47, '<tool_call>find(city="Oslo")</tool_call>'],
  [kimiK3, '<|open|>call tool="find"<|sep|>{"city": "Oslo"}<|close|>call<|sep|>'],
])('reports text in place of the arguments, which is neither ignored nor part of the name (%$)', (dialect, text) => {
  const { toolCalls, malformedCalls } = dialect.parse(text)
  expect(toolCalls).toEqual([])
  expect(malformedCalls).toHaveLength(1)
})

it.each([
  [glm47, '<tool_call>find{"city": "Oslo"}<arg_key>n</arg_key><arg_value>2</arg_value></tool_call>'],
  [glm45, '<tool_call>find\n```json\n{"city": "Oslo"}\n```\n<arg_key>n</arg_key><arg_value>2</arg_value></tool_call>'],
  [qwen3Coder, '<tool_call><function=find>{"city": "Oslo"}<parameter=n>2</parameter></function></tool_call>'],
  [
    minimaxM2,
    '<minimax:tool_call><invoke name="find">{"city": "Oslo"}<parameter name="n">2</parameter></invoke></minimax:tool_call>',
  ],
])('reports a call with a parameter after its JSON object: $0.name', (dialect, text) => {
  const { toolCalls, malformedCalls } = dialect.parse(text)
  expect(toolCalls).toEqual([])
  expect(malformedCalls).toHaveLength(1)
})

it.each<readonly [Dialect, string]>([
  [glm47, '<tool_call>`find`<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>'],
  [glm45, '<tool_call>"find"\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>'],
  [mistral, '[TOOL_CALLS]`find`[ARGS]{"city": "Oslo"}'],
])('accepts a name in quotes (%$)', (dialect, text) => {
  expect(dialect.parse(text, { tools: [tool] }).toolCalls).toMatchObject([{ name: 'find' }])
})
