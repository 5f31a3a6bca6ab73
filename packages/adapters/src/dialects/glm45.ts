/** `<tool_call>NAME`, then `<arg_key>` and `<arg_value>` on separate lines, as written by GLM 4.5 and 4.6. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { GLM_RESULT } from './families/results/result-turns.ts'

export const glm45 = lazyDialect({ name: 'glm45', models: [/(?:^|-)glm-?4\.[56](?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.glm,
  reasoning: THINK_TAGS,
  blocks: [argumentTags(), INVENTED_TOOL_RESPONSE, GLM_RESULT],
  // The servers of these models return no text after the first call.
  policy: { textAfterCalls: 'drop' },
  formatCalls: (calls) => formatTaggedCalls(calls, { lines: true }),
}))
