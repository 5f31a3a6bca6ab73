/** Calls with argument tags inside `<tool_calls>`, with `<tool_sep>` after each name, as written by Hunyuan 3. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTag } from './families/argument-tags/argument-marks.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'
import { resultTags } from './families/results/invented-result.ts'
import { HUNYUAN_RESULT } from './families/results/result-turns.ts'

export const hunyuanV3 = lazyDialect({ name: 'hunyuan_v3', models: [/hunyuan-?v?3(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.hunyuan,
  reasoning: THINK_TAGS,
  blocks: [argumentTags(), resultTags({ suffix: ':opensource' }), HUNYUAN_RESULT],
  ignored: [...argumentTag('tool_calls'), ...argumentTag('/tool_calls')],
  policy: { unfinished: 'cut' },
  formatCalls(calls) {
    const text = formatTaggedCalls(calls, { lines: true, separator: true })
    return typeof text === 'string' ? `<tool_calls>\n${text}\n</tool_calls>` : text
  },
}))
