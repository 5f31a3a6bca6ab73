/** `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, as DeepSeek V3.1 writes it. */
import { CONTROL_TOKENS } from './control-tokens.ts'
import { defineDialect } from './define-dialect.ts'
import { callSections } from './families/call-sections.ts'
import { DEEPSEEK_IGNORED, DEEPSEEK_SECTIONS } from './families/deepseek-markers.ts'

export const deepseekV31 = defineDialect({
  name: 'deepseek_v31',
  controlTokens: CONTROL_TOKENS.deepseek,
  reasoning: { open: '<think>', close: '</think>' },
  ignored: DEEPSEEK_IGNORED,
  // Its markers are tokens of their own: a block that cannot be read is nothing for a reader of the text.
  policy: { unreadBlock: 'drop' },
  ...callSections({ ...DEEPSEEK_SECTIONS, name: 'before' }),
  formatResult: ({ text }, toHarmless) => `<｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜>`,
})
