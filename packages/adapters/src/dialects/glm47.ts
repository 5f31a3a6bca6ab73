/** The tags of GLM 4.5 without line breaks, as written by GLM 4.7 and 5. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { GLM_RESULT } from './families/results/result-turns.ts'

export const glm47 = lazyDialect({ name: 'glm47', models: [/(?:^|-)glm-?(?:4\.7|5)(?![\db])/] }, () => ({
  controlTokens: CONTROL_TOKENS.glm,
  reasoning: THINK_TAGS,
  blocks: [argumentTags({ unquotes: true }), INVENTED_TOOL_RESPONSE, GLM_RESULT],
  // Without an end tag, a parameter may be missing even if the last one is complete.
  policy: { unfinished: 'never' },
  formatCalls: (calls) => formatTaggedCalls(calls, { lines: false }),
}))
