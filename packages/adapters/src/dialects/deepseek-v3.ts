/** `<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME` and fenced JSON, as written by DeepSeek V3, R1-0528 and Cogito 671B. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { callSections, loneSeparator } from './families/named-json/call-sections.ts'
import { DEEPSEEK_ENDS, DEEPSEEK_OUTPUTS, DEEPSEEK_SECTIONS } from './families/named-json/deepseek-markers.ts'
import { inventedResult } from './families/results/invented-result.ts'

const OPTIONS = { ...DEEPSEEK_SECTIONS, name: 'behind' } as const

export const deepseekV3 = lazyDialect(
  { name: 'deepseek_v3', models: [/deepseek-(?:v3|r1-0528)(?![\d.])|cogito.*(?:deepseek|671b)/] },
  () => {
    const { blocks, formatCalls } = callSections(OPTIONS)
    return {
      controlTokens: CONTROL_TOKENS.deepseek,
      reasoning: THINK_TAGS,
      ignored: DEEPSEEK_ENDS,
      // After a call, the model often invents the result and continues the conversation.
      policy: { textAfterCalls: 'drop' },
      blocks: [...blocks, loneSeparator(OPTIONS), inventedResult(DEEPSEEK_OUTPUTS)],
      formatCalls,
      formatResult: ({ text }, toHarmless) =>
        `<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>`,
    }
  },
)
