/** The format of Qwen 3 Coder, where function tags may lack the `=`, as written by Step 3.5. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatFunctionTags } from './families/function-tags/format-function-tags.ts'
import { functionTags } from './families/function-tags/function-tags.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const step3p5 = lazyDialect({ name: 'step3p5', models: [/(?:^|-)step-?3(?:\.|p)5(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.step,
  reasoning: THINK_TAGS,
  blocks: [...functionTags({ wrapper: 'tool_call', trim: 'lines', isLenient: true }), INVENTED_TOOL_RESPONSE, CHATML_RESULT],
  formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'tool_call' }),
}))
