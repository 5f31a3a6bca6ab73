/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as written by Ernie 4.5. Answers are in `<response>` tags. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock, LIKE_TOOL_CALL } from './families/json/json-block.ts'
import { resultTags } from './families/results/invented-result.ts'
import { CHATML_RESULT, ERNIE_RESULT } from './families/results/result-turns.ts'

export const ernie45 = lazyDialect({ name: 'ernie45', models: [/(?:^|-)ernie-?4\.5(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.ernie,
  reasoning: THINK_TAGS,
  ignored: ['<response>', '</response>'],
  blocks: [
    jsonBlock({ open: '<tool_call>', close: '</tool_call>', alike: LIKE_TOOL_CALL, separators: ',;' }),
    resultTags(),
    CHATML_RESULT,
    ERNIE_RESULT,
  ],
  formatCalls: formatJsonBlocks({ open: '<tool_call>\n', close: '\n</tool_call>' }),
}))
