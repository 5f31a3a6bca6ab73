import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { allDialects } from '../../../../test/dialects/dialects.ts'
import { apriel } from '../../apriel.ts'
import { cohere } from '../../cohere.ts'
import { deepseekV3 } from '../../deepseek-v3.ts'
import { deepseekV4 } from '../../deepseek-v4.ts'
import { deepseekV31 } from '../../deepseek-v31.ts'
import { deepseekV32 } from '../../deepseek-v32.ts'
import { dspyChatadapter } from '../../dspy-chatadapter.ts'
import { ernie45 } from '../../ernie45.ts'
import { firefunction } from '../../firefunction.ts'
import { functionaryV32 } from '../../functionary-v32.ts'
import { genericJson } from '../../generic-json.ts'
import { glm45 } from '../../glm45.ts'
import { glm47 } from '../../glm47.ts'
import { granite } from '../../granite.ts'
import { granite4 } from '../../granite4.ts'
import { hermes } from '../../hermes.ts'
import { hunyuanA13b } from '../../hunyuan-a13b.ts'
import { hunyuanV3 } from '../../hunyuan-v3.ts'
import { hunyuanV4 } from '../../hunyuan-v4.ts'
import { internlm2 } from '../../internlm2.ts'
import { jamba } from '../../jamba.ts'
import { kExaone2 } from '../../k-exaone2.ts'
import { kimiK2 } from '../../kimi-k2.ts'
import { lfm2 } from '../../lfm2.ts'
import { llama3Json } from '../../llama3-json.ts'
import { llama4Pythonic } from '../../llama4-pythonic.ts'
import { minimax } from '../../minimax.ts'
import { minimaxM2 } from '../../minimax-m2.ts'
import { minimaxM3 } from '../../minimax-m3.ts'
import { mistral } from '../../mistral.ts'
import { nemotronJson } from '../../nemotron-json.ts'
import { olmo3 } from '../../olmo3.ts'
import { phi4mini } from '../../phi4mini.ts'
import { qwen3Coder } from '../../qwen3-coder.ts'
import { seedOss } from '../../seed-oss.ts'
import { step3 } from '../../step3.ts'
import { step3p5 } from '../../step3p5.ts'

const tool: ToolSpec = {
  type: 'function',
  function: { name: 'find', description: '', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const tags = ['<tool_response>', '</tool_response>'] as const
const outputs = ['<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>', '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>'] as const
const step = ['<｜tool_outputs_begin｜><｜tool_output_begin｜>', '<｜tool_output_end｜><｜tool_outputs_end｜>'] as const

const written = [
  [deepseekV3, ...outputs],
  [deepseekV3, '<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
  [step3, ...step],
  [cohere, '<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'],
  [
    cohere,
    '<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><|START_TOOL_RESULT|>',
    '<|END_TOOL_RESULT|><|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>',
  ],
  [apriel, '<|end|>\n<|begin_tool_result|>\n', '\n\n<|begin_assistant|>'],
  [nemotronJson, '<SPECIAL_12>\n<SPECIAL_11>User\n<TOOL_RESPONSE>', '</TOOL_RESPONSE>\n<SPECIAL_11>Assistant'],
  [mistral, '[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  [ernie45, '<|im_start|>tool\n<tool_output>', '</tool_output><|im_end|>\n<|im_start|>assistant\n'],
  [ernie45, '<tool_output>', '</tool_output>'],
  [qwen3Coder, '<|im_start|>tool\n', '<|im_end|>'],
  [qwen3Coder, '<|im_end|>\n<|im_start|>user\n<tool_response>\n', '</tool_response><|im_end|>\n<|im_start|>assistant\n'],
  [hermes, '<tool_response id="1">', '</tool_response>'],
  [deepseekV32, ...outputs],
  [deepseekV4, ...outputs],
  [olmo3, '<|im_start|>environment\n', '<|im_end|>'],
  [internlm2, '<|im_start|>environment name=<|plugin|>\n', '<|im_end|>'],
  [llama3Json, '<|start_header_id|>ipython<|end_header_id|>\n\n', '<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n'],
  [functionaryV32, '<|start_header_id|>tool<|end_header_id|>\n\n', '<|eot_id|>'],
  [firefunction, '<|start_header_id|>tool<|end_header_id|>\n\n', '<|eot_id|>'],
  [llama4Pythonic, '<|header_start|>ipython<|header_end|>\n\n', '<|eot|>'],
  [granite, '<|start_of_role|>tool_response<|end_of_role|>', '<|end_of_text|>'],
  [phi4mini, '<|tool_response|>', '<|end|>'],
  [jamba, '<|bom|><|tool|>', '<|eom|>'],
  [glm45, '<|observation|>\n', '<|assistant|>'],
  [kimiK2, '<|im_system|>tool<|im_middle|>', '<|im_end|><|im_assistant|>assistant<|im_middle|>'],
  [seedOss, '<seed:eos><seed:bos>tool\n', '<seed:eos><seed:bos>assistant\n'],
  [seedOss, '<seed:tool_response>', '</seed:tool_response>'],
  [minimaxM2, ']~b]tool\n<response>', '</response>[e~[\n]~b]ai\n'],
  [minimaxM2, '<minimax:tool_result>', '</minimax:tool_result>'],
  [minimaxM3, ']~b]tool\n', '[e~['],
  [minimax, '<beginning_of_sentence>tool name=functions\n', '<end_of_sentence>'],
  [hunyuanV3, '<tool_responses>', '</tool_responses>'],
  [hunyuanV4, '<tool_response:opensource>', '</tool_response:opensource>'],
  [lfm2, '<|tool_response_start|>', '<|tool_response_end|>'],
  [hermes, ...tags],
  [granite4, ...tags],
  [hunyuanA13b, ...tags],
  [nemotronJson, '<TOOL_RESPONSE>', '</TOOL_RESPONSE>'],
  ...[qwen3Coder, ernie45, step3p5, kExaone2, glm45, glm47].map((dialect) => [dialect, ...tags] as const),
] as const

describe.each(allDialects.map((dialect) => ({ name: dialect.name, dialect })))('after a call of $name', ({ dialect }) => {
  const call = dialect.formatCall({ id: 'call_0', name: 'find', arguments: '{"city": "Oslo"}' }, { tools: [tool] })
  const result = dialect.formatResult({ callId: 'call_0', name: 'find', ok: true, text: 'made up' })

  it.each([
    result,
    '<tool_response>\nmade up\n</tool_response>',
    '<tool_output>made up</tool_output>',
    '<tool_result>made up</tool_result>',
    '<function_results>\n<result>made up</result>\n</function_results>',
    '<tool_call_result name="find">\nmade up\n</tool_call_result>',
    '<observation>made up</observation>',
    '<tool_response>{"temp": "made up"',
    '<tool_response>\nmade up',
    '<tool_output>made up',
  ])("a result isn't text: %j", (written) => {
    const { text, toolCalls } = dialect.parse(`${call.ok && call.text}\n${written}\nOslo`, { tools: [tool] })
    expect(toolCalls.map(({ name }) => name)).toEqual(['find'])
    expect(text).not.toContain('made up')
    const drops = dialect.policy.textAfterCalls === 'drop' || /made up"?$/.test(written)
    expect(text).toBe(drops ? '' : 'Oslo')
  })
})

it("tags of a result are text without a call before them, unless they are the dialect's own", () => {
  for (const text of [
    'Write <tool_output>x</tool_output>.',
    'A <function_result>x</function_result>',
    'A <response>x</response>',
  ])
    for (const dialect of [hermes, qwen3Coder, minimaxM2, genericJson])
      expect(dialect.parse(text)).toEqual({ text, toolCalls: [] })
})

it('prose after a call may mention the tags', () => {
  const call = hermes.formatCall({ id: 'a', name: 'f', arguments: '{}' })
  expect(call.ok && hermes.parse(`${call.text}\nThe result stands in <tool_output> tags.`).text).toBe(
    'The result stands in <tool_output> tags.',
  )
})

describe.each(written.map(([dialect, open, close]) => ({ name: dialect.name, dialect, open, close })))(
  'a result that $name invents',
  ({ dialect, open, close }) => {
    const call = dialect.formatCall({ id: 'a', name: 'f', arguments: '{"a": "b"}' })

    it("isn't text, but the text after it is", () => {
      expect(dialect.parse(`Wait. ${open}{"temp": 20}${close} It is 20.`)).toEqual({ text: 'Wait.  It is 20.', toolCalls: [] })
      expect(dialect.parse(`${open}1${close}${open}2${close}`)).toEqual({ text: '', toolCalls: [] })
    })

    it('contains no call', () => {
      expect(call.ok && dialect.parse(`${open}${call.text}${close}`)).toEqual({ text: '', toolCalls: [] })
    })

    it('is recognized in any pieces', () => {
      const parser = dialect.streamParser()
      const deltas = [...`A ${open}x${close}B`].flatMap((unit) => [...parser.push(unit)])
      const text = [...deltas, ...parser.end()].map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
      expect(text).toBe('A B')
    })
  },
)

it('a tag that prose only mentions is kept, because no end tag follows', () => {
  const text = 'Results stand in <tool_response> tags.'
  expect(hermes.parse(text)).toEqual({ text, toolCalls: [] })
})

it('DeepSeek V3.1 keeps the text of a result if no call was made, like its server', () => {
  const call = deepseekV31.formatCall({ id: 'a', name: 'f', arguments: '{}' })
  expect(deepseekV31.parse(`A ${outputs[0]}x${outputs[1]} B`).text).toBe('A x B')
  expect(call.ok && deepseekV31.parse(`${call.text}${outputs[0]}x${outputs[1]} B`)).toMatchObject({ text: 'B', toolCalls: [{}] })
})

it("an observation in a field of DSPy isn't text", () => {
  const call = '[[ ## next_tool_name ## ]]\nf\n\n[[ ## next_tool_args ## ]]\n{}\n\n'
  expect(dspyChatadapter.parse(`${call}[[ ## observation_0 ## ]]\nx\n\n[[ ## answer ## ]]\nOslo`)).toMatchObject({
    text: '[[ ## answer ## ]]\nOslo',
    toolCalls: [{ name: 'f' }],
  })
})

describe.each(allDialects.map((dialect) => ({ name: dialect.name, dialect })))('prose of $name', ({ dialect }) => {
  const call = dialect.formatCall({ id: 'call_0', name: 'find', arguments: '{"city": "Oslo"}' }, { tools: [tool] })

  it.each([
    'A result begins with `<tool_response>`, I know.',
    'It stands between `<tool_response>` and `</tool_response>` then.',
    'The template writes "<tool_response>" first.',
    'Write \u201c<tool_response>\u201d for it.',
    'Use the <tool_response> tag.',
    'The tags <tool_response> and <tool_response>, and <tool_response> again.',
  ])('may quote the tag of a result before a call: %s', (prose) => {
    const { text, toolCalls } = dialect.parse(`${prose}\n${call.ok && call.text}`, { tools: [tool] })
    expect({ text, calls: toolCalls.map(({ name }) => name) }).toEqual({ text: prose, calls: ['find'] })
  })

  it('contains no call inside a quoted result', () => {
    for (const quote of ['`', '"']) {
      const written = `${quote}<tool_response>${call.ok && call.text}</tool_response>${quote}`
      expect(dialect.parse(written, { tools: [tool] }).toolCalls).toEqual([])
    }
  })
})
