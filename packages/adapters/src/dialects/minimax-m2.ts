/** `<minimax:tool_call><invoke name="F"><parameter name="K">V</parameter></invoke></minimax:tool_call>`, as written by MiniMax M2. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { invokeFormat, parameterTag } from './families/invoke/invoke-format.ts'
import { markersInValues, readParametersOf } from './families/invoke/invoke-parameters.ts'
import { invokeBlock } from './families/invoke/invoke-tags.ts'
import { inventedResult, resultTags } from './families/results/invented-result.ts'
import { MINIMAX_RESULT } from './families/results/result-turns.ts'

const TAG = { open: '<', close: '</' }
const BLOCK = { open: '<minimax:tool_call>', close: '</minimax:tool_call>', tags: [TAG] }

/** Tags in which the chat template writes results. Other text may contain them too, so they are removed only after a call. */
const TAGGED_RESULTS = [
  resultTags({ prefix: 'minimax:' }),
  inventedResult({ open: '<response>', close: '</response>', isPlain: true, onlyBehindCalls: true }),
]

export const minimaxM2 = lazyDialect({ name: 'minimax_m2', models: [/minimax-m2(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.minimax,
  reasoning: THINK_TAGS,
  blocks: [
    invokeBlock({ ...BLOCK, readParameters: readParametersOf(BLOCK, { trim: 'pair' }) }),
    MINIMAX_RESULT,
    ...TAGGED_RESULTS,
  ],
  policy: { malformedBlock: 'text' },
  formatCalls: invokeFormat({
    open: `${BLOCK.open}\n`,
    close: BLOCK.close,
    after: '\n',
    tag: TAG,
    line: '\n',
    ends: markersInValues(BLOCK),
    parameter: parameterTag(TAG, 'pair'),
  }),
}))
