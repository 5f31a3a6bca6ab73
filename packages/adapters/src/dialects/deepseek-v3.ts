/** `<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME` and fenced JSON, as DeepSeek V3 and R1 write it. */
import { defineDialect } from './define-dialect.ts'
import { callSections } from './families/call-sections.ts'
import { DEEPSEEK_IGNORED, DEEPSEEK_SECTIONS } from './families/deepseek-markers.ts'

export const deepseekV3 = defineDialect({
  name: 'deepseek_v3',
  reasoning: { open: '<think>', close: '</think>' },
  ignored: DEEPSEEK_IGNORED,
  // It makes up what a call would give.
  policy: { textAfterCalls: 'drop' },
  ...callSections({ ...DEEPSEEK_SECTIONS, name: 'behind' }),
  formatResult: ({ text }, toHarmless) =>
    `<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>`,
})
