/** `[f(a=1, b="x"), g()]`, alone or in text, as written by Llama 3.2 1B and 3B, and by ToolACE. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { pythonBlock, pythonList } from './families/python/python-block.ts'
import { formatPythonCalls } from './families/python/python-format.ts'
import { LLAMA3_RESULT } from './families/results/result-turns.ts'

export const pythonic = lazyDialect({ name: 'pythonic', models: [/(?:^|-)llama-?3\.2-(?:1|3)b/], tunes: [/toolace/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama3,
  reasoning: THINK_TAGS,
  blocks: [
    pythonBlock({ open: '<|python_start|>', close: '<|python_end|>' }),
    { open: '[', read: pythonList({}) },
    LLAMA3_RESULT,
  ],
  ignored: '<|python_end|>',
  // Brackets are common in reasoning. If reasoning could contain calls, everything after the first bracket would be held back.
  policy: { callInReasoning: 'ignore' },
  results: 'escape-if-read',
  syntax: 'python',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `[${texts.join(', ')}]`),
}))
