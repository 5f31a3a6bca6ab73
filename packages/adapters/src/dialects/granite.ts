/** `<|tool_call|>[{"name": …, "arguments": {…}}, …]` without an end marker, as written by Granite 3. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'
import { loneStart } from './families/json/lone-json.ts'
import { GRANITE_RESULT } from './families/results/result-turns.ts'

export const granite = lazyDialect({ name: 'granite', models: [/granite-?3(?:\.\d+)?(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.granite,
  reasoning: THINK_TAGS,
  ignored: ['<response>', '</response>'],
  blocks: [jsonBlock({ open: ['<|tool_call|>', '<tool_call>'], holds: 'list' }), GRANITE_RESULT],
  atStart: loneStart('calls', ['<|tool_call|>', '<tool_call>']),
  syntax: 'json',
  formatCalls: formatJsonBlocks({ open: '<|tool_call|>', together: 'list' }),
}))
