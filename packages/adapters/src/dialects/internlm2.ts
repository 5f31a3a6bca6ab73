/** `<|action_start|><|plugin|>{"name": …, "parameters": {…}}<|action_end|>`, as written by InternLM 2, 2.5 and 3. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { loose } from './engine/marker.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

/** An `<|interpreter|>` action contains code and stays text. */
export const internlm2 = lazyDialect({ name: 'internlm2', models: [/internlm-?(?:2|3)(?![\db])/] }, () => ({
  controlTokens: CONTROL_TOKENS.internlm,
  reasoning: THINK_TAGS,
  blocks: [
    {
      ...jsonBlock({ open: loose('<|action_start|> <|plugin|>'), close: '<|action_end|>', separators: ',;' }),
      inside: ['<|plugin|>', '<|action_end|>'],
    },
    CHATML_RESULT,
  ],
  formatCalls: formatJsonBlocks({
    open: '<|action_start|><|plugin|>\n',
    close: '<|action_end|>',
    argumentsKey: 'parameters',
  }),
}))
