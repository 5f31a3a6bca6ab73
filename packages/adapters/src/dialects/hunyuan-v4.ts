/** The tags of Hunyuan 3 with the suffix `:opensource` and without `<tool_sep>`, as written by Hunyuan 4. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { formatTaggedCalls } from './families/argument-tags/argument-format.ts'
import { argumentTag } from './families/argument-tags/argument-marks.ts'
import { argumentTags } from './families/argument-tags/argument-tags.ts'
import { resultTags } from './families/results/invented-result.ts'
import { HUNYUAN_RESULT } from './families/results/result-turns.ts'

export const hunyuanV4 = lazyDialect({ name: 'hunyuan_v4', models: [/hunyuan-?v?4(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.hunyuan,
  reasoning: { open: argumentTag('think'), close: argumentTag('/think') },
  blocks: [argumentTags(), resultTags({ suffix: ':opensource' }), HUNYUAN_RESULT],
  ignored: [...argumentTag('tool_calls'), ...argumentTag('/tool_calls')],
  policy: { unfinished: 'cut' },
  formatCalls(calls) {
    const text = formatTaggedCalls(calls, { lines: false, suffix: ':opensource' })
    return typeof text === 'string' ? `<tool_calls:opensource>\n${text}\n</tool_calls:opensource>` : text
  },
}))
