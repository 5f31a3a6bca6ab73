/** Samples for the contract: forms of calls that our dialects read but don't write. */
import type { DialectSample } from '../../src/testing/dialect-check.ts'

const CALL = { name: 'get_weather', args: { city: 'Oslo', days: 2 } }
const SECOND = { name: 'get_time', args: { zone: 'UTC' } }
const JSON_CALL = '{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}'
const GEMMA = '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|>'

const one = (text: string, more: Partial<DialectSample> = {}): DialectSample => ({ text, calls: [CALL], ...more })

/** Returns the samples of dialects that differ only in the name of their tag. */
const argumentTags = (tag: string): readonly DialectSample[] => [
  one(`<${tag}>${JSON_CALL}</${tag}>`),
  one(`<${tag}>get_weather\n{"city": "Oslo", "days": 2}\n</${tag}>`),
]
const functionTags = (tag: string): readonly DialectSample[] => [
  one(`<${tag}>\n${JSON_CALL}\n</${tag}>`),
  one(`<${tag}>\n<function=get_weather>\n{"city": "Oslo", "days": 2}\n</function>\n</${tag}>`),
]
const invented = (result: string): DialectSample => ({ text: `Wait. ${result}`, calls: [], content: 'Wait.' })

export const SAMPLES: Readonly<Record<string, readonly DialectSample[]>> = {
  gemma4: [
    one(`<|channel>It is about Oslo.<channel|>${GEMMA}`, { reasoning: 'It is about Oslo.', content: '' }),
    one(`<|channel><|channel>thought\nOslo.<channel|><channel|>${GEMMA}`, { reasoning: 'Oslo.', content: '' }),
    one(`<|channel>thought\nOslo.<|channel>final\nLook.${GEMMA}`, { reasoning: 'Oslo.', content: 'Look.' }),
    one(`<|tool_call>${JSON_CALL}<tool_call|>`),
    one(`${GEMMA}<channel|>Done.`, { reasoning: '', content: 'Done.' }),
  ],
  minimax: [
    { text: `<tool_calls>\nnot json\n${JSON_CALL}\n</tool_calls>`, calls: [CALL] },
    {
      text: `<tool_calls>\n${JSON_CALL}\n{"name": "f"}\n{"name": "get_time", "arguments": {"zone": "UTC"}}\n</tool_calls>`,
      calls: [CALL, SECOND],
    },
  ],
  react_text: [
    {
      text: 'Action: find\nAction Input: ["a", "b"]\n',
      calls: [{ name: 'find', args: { input: ['a', 'b'] } }],
      tools: [],
    },
  ],
  glm45: argumentTags('tool_call'),
  glm47: argumentTags('tool_call'),
  poolside_v1: argumentTags('tool_call'),
  hunyuan_v3: [...argumentTags('tool_call'), one('<tool_call>get_weather<tool_sep>\n{"city": "Oslo", "days": 2}</tool_call>')],
  functiongemma: [one(`<start_function_call>${JSON_CALL}<end_function_call>`)],
  hunyuan_v4: argumentTags('tool_call:opensource'),
  qwen3_coder: [...functionTags('tool_call'), invented('<tool_response>\n20\n</tool_response>')],
  step3p5: functionTags('tool_call'),
  k_exaone2: functionTags('tool_call'),
  seed_oss: functionTags('seed:tool_call'),
  morph_xml: [one('<get_weather>{"city": "Oslo", "days": 2}</get_weather>')],
  minimax_m2: [
    {
      text: '<minimax:tool_call>\n<invoke name="run">\n<parameter name="code">a = 1\n</parameter>\n</invoke>\n</minimax:tool_call>',
      calls: [{ name: 'run', args: { code: 'a = 1\n' } }],
    },
  ],
  hermes: [one(`<tool_call>[${JSON_CALL}]</tool_call>`), invented('<tool_response>\n20\n</tool_response>')],
  granite4: [invented('<tool_response>\n20\n</tool_response>')],
  mistral: [one(`[TOOL_CALLS] [${JSON_CALL}]`), invented('[TOOL_RESULTS]20[/TOOL_RESULTS]')],
  cohere: [invented('<|START_TOOL_RESULT|>[20]<|END_TOOL_RESULT|>')],
  lfm2: [one(`<|tool_call_start|>[${JSON_CALL}]<|tool_call_end|>`), invented('<|tool_response_start|>20<|tool_response_end|>')],
  step3: [
    invented('<｜tool_outputs_begin｜><｜tool_output_begin｜>20<｜tool_output_end｜><｜tool_outputs_end｜>'),
    {
      text: '<｜tool_calls_begin｜><steptml:invoke name="run"><steptml:parameter name="code">a\n</steptml:parameter></steptml:invoke><｜tool_calls_end｜>',
      calls: [{ name: 'run', args: { code: 'a\n' } }],
    },
  ],
  deepseek_v3: [invented('<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>20<｜tool▁output▁end｜><｜tool▁outputs▁end｜>')],
  generic_json: [
    one(`\`\`\`json\n{"tool_calls": [${JSON_CALL}]}\n\`\`\``),
    { text: `{"status": 200, "action": ${JSON_CALL}}`, calls: [], tools: [] },
  ],
  harmony: [
    one(
      '<|channel|>analysis<|message|>Oslo.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary<|message|>{"city": "Oslo", "days": 2}<|call|>',
      {
        reasoning: 'Oslo.',
      },
    ),
    {
      text: '<|start|>assistant<|channel|>commentary to=reviewer<|message|>Look.<|end|><|start|>functions.f to=assistant<|channel|>commentary<|message|>20<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>',
      calls: [],
      content: 'Done.',
    },
  ],
}
