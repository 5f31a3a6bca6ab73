/** `<function_calls>f(a=1)` with further calls on separate lines, `</function_calls>`, as OLMo 3 writes it. */
import { CONTROL_TOKENS } from './define/control-tokens.ts'
import { defineDialect } from './define/define-dialect.ts'
import { pythonBlock } from './families/python/python-block.ts'
import { formatPythonCalls } from './families/python/python-format.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const olmo3 = defineDialect({
  name: 'olmo3',
  models: [/(?:^|-)olmo-?3(?![\db])/],
  controlTokens: CONTROL_TOKENS.olmo,
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [pythonBlock({ open: '<function_calls>', close: '</function_calls>', bareWords: true }), CHATML_RESULT],
  ignored: '</function_calls>',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `<function_calls>${texts.join('\n')}</function_calls>`),
})
