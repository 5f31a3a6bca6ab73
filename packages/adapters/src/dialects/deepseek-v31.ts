/** `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, as written by DeepSeek V3.1 and V3.2-Exp. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { defineDialect } from './define/define-dialect.ts'
import { callSections, loneSeparator } from './families/named-json/call-sections.ts'
import { DEEPSEEK_ENDS, DEEPSEEK_OUTPUTS, DEEPSEEK_SECTIONS } from './families/named-json/deepseek-markers.ts'
import { inventedResult } from './families/results/invented-result.ts'

const OPTIONS = { ...DEEPSEEK_SECTIONS, name: 'before' } as const
const SECTIONS = callSections(OPTIONS)

export const deepseekV31 = defineDialect({
  name: 'deepseek_v31',
  models: [/deepseek-v3\.2-exp/, /deepseek-v3\.1(?!\d)/],
  controlTokens: CONTROL_TOKENS.deepseek,
  reasoning: { open: '<think>', close: '</think>' },
  ignored: DEEPSEEK_ENDS,
  // The markers are single tokens, so a malformed block is useless as text.
  policy: { malformedBlock: 'drop' },
  // Removes an invented result only after a call. Without a call, DeepSeek's servers return the result's text.
  blocks: [...SECTIONS.blocks, loneSeparator(OPTIONS), inventedResult({ ...DEEPSEEK_OUTPUTS, onlyBehindCalls: true })],
  formatCalls: SECTIONS.formatCalls,
  formatResult: ({ text }, toHarmless) => `<｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜>`,
})
