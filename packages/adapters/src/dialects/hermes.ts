/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as written by Hermes, Qwen 2.5, Qwen 3 and QwQ. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatToolCalls, TOOL_CALL } from './families/json/json-block.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const hermes = lazyDialect(
  {
    name: 'hermes',
    models: [/qwen-?(?:2\.5|3)(?![\d.b]|-coder|-next)|qwq(?![a-z])/],
    tunes: [/hermes-?(?:2-?(?:pro|theta)|[34](?!\d))/],
  },
  () => ({
    // Models from three families were fine-tuned on this dialect.
    controlTokens: [...CONTROL_TOKENS.qwen, ...CONTROL_TOKENS.llama3, ...CONTROL_TOKENS.mistral],
    reasoning: THINK_TAGS,
    blocks: [TOOL_CALL, INVENTED_TOOL_RESPONSE, CHATML_RESULT],
    formatCalls: formatToolCalls,
  }),
)
