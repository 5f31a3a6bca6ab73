/** `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, as written by DeepSeek V3.1 and V3.2-Exp. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { callSections, loneSeparator } from './families/named-json/call-sections.ts'
import { DEEPSEEK_ENDS, DEEPSEEK_OUTPUTS, DEEPSEEK_SECTIONS } from './families/named-json/deepseek-markers.ts'
import { inventedResult } from './families/results/invented-result.ts'

const OPTIONS = { ...DEEPSEEK_SECTIONS, name: 'before' } as const

export const deepseekV31 = lazyDialect({ name: 'deepseek_v31', models: [/deepseek-v3\.2-exp/, /deepseek-v3\.1(?!\d)/] }, () => {
  const { blocks, formatCalls } = callSections(OPTIONS)
  return {
    controlTokens: CONTROL_TOKENS.deepseek,
    reasoning: THINK_TAGS,
    ignored: DEEPSEEK_ENDS,
    // The markers are single tokens, so a malformed block is useless as text.
    policy: { malformedBlock: 'drop' },
    // Removes an invented result only after a call. Without a call, DeepSeek's servers return the result's text.
    blocks: [...blocks, loneSeparator(OPTIONS), inventedResult({ ...DEEPSEEK_OUTPUTS, onlyBehindCalls: true })],
    formatCalls,
    formatResult: ({ text }, toHarmless) => `<｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜>`,
  }
})
