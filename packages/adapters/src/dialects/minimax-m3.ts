/** Tags that start with a namespace mark, as written by MiniMax M3; each parameter, member and item is an element. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { isElementName, readElementsOf } from './families/invoke/element-tree.ts'
import { invokeFormat } from './families/invoke/invoke-format.ts'
import { invokeBlock } from './families/invoke/invoke-tags.ts'
import { MINIMAX_RESULT } from './families/results/result-turns.ts'

const MARK = ']<]minimax[>['
const TAG = { open: `${MARK}<`, close: `${MARK}</` }
const BLOCK = { open: `${MARK}<tool_call>`, close: `${MARK}</tool_call>`, tags: [TAG] }

export const minimaxM3 = lazyDialect({ name: 'minimax_m3', models: [/minimax-m3(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.minimax,
  reasoning: THINK_TAGS,
  blocks: [invokeBlock({ ...BLOCK, isAlwaysBlock: true, readParameters: readElementsOf(MARK) }), MINIMAX_RESULT],
  policy: { malformedBlock: 'drop', textAfterCalls: 'drop', repeatedParameter: 'list' },
  formatCalls: invokeFormat({
    open: `${BLOCK.open}\n`,
    close: BLOCK.close,
    after: '\n',
    tag: TAG,
    line: '',
    ends: TAG.open,
    parameter: (key, _value, text) => (isElementName(key) ? `${TAG.open}${key}>${text}${TAG.close}${key}>` : undefined),
  }),
}))
