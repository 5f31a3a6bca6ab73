/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as written by Ernie 4.5. Answers are in `<response>` tags. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatToolCalls, TOOL_CALL } from './families/json/json-block.ts'
import { resultTags } from './families/results/invented-result.ts'
import { CHATML_RESULT, ERNIE_RESULT } from './families/results/result-turns.ts'

export const ernie45 = lazyDialect({ name: 'ernie45', models: [/(?:^|-)ernie-?4\.5(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.ernie,
  reasoning: THINK_TAGS,
  ignored: ['<response>', '</response>'],
  blocks: [TOOL_CALL, resultTags(), CHATML_RESULT, ERNIE_RESULT],
  formatCalls: formatToolCalls,
}))
