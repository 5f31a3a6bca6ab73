/** The tags of GLM 4.5, as written by Poolside's models. */
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { ALL_CONTROL_TOKENS } from './define/own-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'

export const poolsideV1 = lazyDialect({ name: 'poolside_v1', models: [/poolside/] }, () => ({
  controlTokens: ALL_CONTROL_TOKENS,
  reasoning: THINK_TAGS,
  blocks: [argumentTags()],
  formatCalls: (calls) => formatTaggedCalls(calls, { lines: true }),
}))
