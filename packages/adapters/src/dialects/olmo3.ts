/** Python calls on separate lines between `<function_calls>` and `</function_calls>`, as written by OLMo 3. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { pythonBlock } from './families/python/python-block.ts'
import { formatPythonCalls } from './families/python/python-format.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const olmo3 = lazyDialect({ name: 'olmo3', models: [/(?:^|-)olmo-?3(?![\db])/] }, () => ({
  controlTokens: CONTROL_TOKENS.olmo,
  reasoning: THINK_TAGS,
  blocks: [pythonBlock({ open: '<function_calls>', close: '</function_calls>', bareWords: true }), CHATML_RESULT],
  ignored: '</function_calls>',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `<function_calls>${texts.join('\n')}</function_calls>`),
}))
