/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as written by Granite 4; the arguments may be JSON in a string. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatToolCalls, TOOL_CALL } from './families/json/json-block.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { GRANITE_RESULT } from './families/results/result-turns.ts'

export const granite4 = lazyDialect({ name: 'granite4', models: [/granite-?4(?:\.\d+)?(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.granite,
  reasoning: THINK_TAGS,
  blocks: [TOOL_CALL, INVENTED_TOOL_RESPONSE, GRANITE_RESULT],
  formatCalls: formatToolCalls,
}))
