/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as written by Granite 4; the arguments may be JSON in a string. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock, LIKE_TOOL_CALL } from './families/json/json-block.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { GRANITE_RESULT } from './families/results/result-turns.ts'

export const granite4 = lazyDialect({ name: 'granite4', models: [/granite-?4(?:\.\d+)?(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.granite,
  reasoning: THINK_TAGS,
  blocks: [
    jsonBlock({ open: '<tool_call>', close: '</tool_call>', alike: LIKE_TOOL_CALL, separators: ',;' }),
    INVENTED_TOOL_RESPONSE,
    GRANITE_RESULT,
  ],
  formatCalls: formatJsonBlocks({ open: '<tool_call>\n', close: '\n</tool_call>' }),
}))
