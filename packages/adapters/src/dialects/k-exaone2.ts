/** The format of Qwen 3 Coder, as written by K-EXAONE 2. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatFunctionTags } from './families/function-tags/format-function-tags.ts'
import { functionTags } from './families/function-tags/function-tags.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const kExaone2 = lazyDialect({ name: 'k_exaone2', models: [/k-exaone-?2(?![\db])/] }, () => ({
  controlTokens: CONTROL_TOKENS.exaone,
  reasoning: THINK_TAGS,
  blocks: [...functionTags({ wrapper: 'tool_call', trim: 'lines' }), INVENTED_TOOL_RESPONSE, CHATML_RESULT],
  formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'tool_call' }),
}))
