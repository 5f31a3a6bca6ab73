/** `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, as DeepSeek V3.1 writes it. */
import { defineDialect } from './define-dialect.ts'
import { callSections } from './families/call-sections.ts'
import { DEEPSEEK_IGNORED, deepseekMarker } from './families/deepseek-markers.ts'

export const deepseekV31 = defineDialect({
  name: 'deepseek_v31',
  reasoning: { open: '<think>', close: '</think>' },
  ignored: DEEPSEEK_IGNORED,
  // Its markers are tokens of their own: a block that cannot be read is nothing for a reader of the text.
  policy: { unreadBlock: 'drop' },
  ...callSections({
    section: { open: [...deepseekMarker('tool calls begin'), '<｜tool▁calls｜>'], close: deepseekMarker('tool calls end') },
    call: {
      open: deepseekMarker('tool call begin'),
      separator: deepseekMarker('tool sep'),
      close: deepseekMarker('tool call end'),
    },
    name: 'before',
  }),
  formatResult: ({ text }, toHarmless) => `<｜tool▁output▁begin｜>${toHarmless(text)}<｜tool▁output▁end｜>`,
})
