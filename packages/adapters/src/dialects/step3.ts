/** `<steptml:invoke name="F"><steptml:parameter name="K">V</steptml:parameter></steptml:invoke>`, as written by Step3. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { invokeFormat, parameterTag } from './families/invoke/invoke-format.ts'
import { markersInValues, readParametersOf } from './families/invoke/invoke-parameters.ts'
import { invokeBlock } from './families/invoke/invoke-tags.ts'
import { inventedResult } from './families/results/invented-result.ts'

const TAG = { open: '<steptml:', close: '</steptml:' }
const BLOCK = {
  open: '<｜tool_calls_begin｜>',
  close: '<｜tool_calls_end｜>',
  tags: [TAG],
  before: ['<｜tool_call_begin｜>', 'function', '<｜tool_sep｜>'],
  after: '<｜tool_call_end｜>',
}

/** Consecutive results share one pair of outer markers. */
const RESULT = inventedResult({
  open: ['<｜tool_outputs_begin｜>', '<｜tool_output_begin｜>'],
  inner: '<｜tool_output_begin｜>',
  close: ['<｜tool_outputs_end｜>', '<｜tool_output_end｜>'],
})

export const step3 = lazyDialect({ name: 'step3', models: [/(?:^|-)step-?3(?![\d.bp])/] }, () => ({
  controlTokens: CONTROL_TOKENS.step,
  reasoning: THINK_TAGS,
  blocks: [invokeBlock({ ...BLOCK, readParameters: readParametersOf(BLOCK, { trim: 'pair' }) }), RESULT],
  ignored: '<｜tool_outputs_end｜>',
  policy: { malformedBlock: 'text' },
  formatCalls: invokeFormat({
    open: `${BLOCK.open}\n`,
    close: BLOCK.close,
    before: '<｜tool_call_begin｜>function<｜tool_sep｜>',
    after: `${BLOCK.after}\n`,
    tag: TAG,
    line: '\n',
    ends: markersInValues(BLOCK),
    parameter: parameterTag(TAG, 'pair'),
  }),
}))
