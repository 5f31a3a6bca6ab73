/** `<|tool_call_start|>[f(a=1), g()]<|tool_call_end|>`, or JSON between the same markers, as written by LFM2. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { pythonBlock } from './families/python/python-block.ts'
import { formatPythonCalls } from './families/python/python-format.ts'
import { inventedResult } from './families/results/invented-result.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

const OPEN = '<|tool_call_start|>'
const CLOSE = '<|tool_call_end|>'
const RESULT = inventedResult({ open: '<|tool_response_start|>', close: '<|tool_response_end|>' })

export const lfm2 = lazyDialect({ name: 'lfm2', models: [/(?:^|-)lfm-?2(?![\db])/] }, () => ({
  controlTokens: CONTROL_TOKENS.lfm2,
  reasoning: THINK_TAGS,
  blocks: [pythonBlock({ open: OPEN, close: CLOSE, bareWords: true, mayEcho: true }), RESULT, CHATML_RESULT],
  ignored: CLOSE,
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `${OPEN}[${texts.join(', ')}]${CLOSE}`),
}))
