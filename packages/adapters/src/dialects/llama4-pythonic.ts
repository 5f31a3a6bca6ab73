/** `<|python_start|>[f(a=1, b="x"), g()]<|python_end|>`, often without the markers, as written by Llama 4. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { pythonBlock, pythonList } from './families/python/python-block.ts'
import { formatPythonCalls } from './families/python/python-format.ts'
import { LLAMA4_RESULT } from './families/results/result-turns.ts'

export const llama4Pythonic = lazyDialect({ name: 'llama4_pythonic', models: [/(?:^|-)llama-?4(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama4,
  reasoning: THINK_TAGS,
  blocks: [
    pythonBlock({ open: '<|python_start|>', close: '<|python_end|>' }),
    { open: '[', read: pythonList({}) },
    LLAMA4_RESULT,
  ],
  ignored: '<|python_end|>',
  // Brackets are common in reasoning. If reasoning could contain calls, everything after the first bracket would be held back.
  policy: { callInReasoning: 'ignore' },
  results: 'escape-if-read',
  syntax: 'python',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `<|python_start|>[${texts.join(', ')}]<|python_end|>`),
}))
