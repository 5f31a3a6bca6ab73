/** The tags of GLM 4.5, as written by Poolside's models. */
import { defineDialect } from './define/own-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'

export const poolsideV1 = defineDialect({
  name: 'poolside_v1',
  models: [/poolside/],
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [argumentTags()],
  formatCalls: (calls) => formatTaggedCalls(calls, { lines: true }),
})
