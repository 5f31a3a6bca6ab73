/** `<function_call> {"name": …, "arguments": {…}}` without an end marker, as written by Granite 20B Function Calling. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'
import { loneStart } from './families/json/lone-json.ts'

export const granite20bFc = lazyDialect({ name: 'granite_20b_fc', models: [/granite-20b-functioncalling/] }, () => ({
  controlTokens: CONTROL_TOKENS.granite,
  reasoning: THINK_TAGS,
  blocks: [jsonBlock({ open: '<function_call>', holds: 'object' })],
  atStart: loneStart('calls', ['<function_call>']),
  syntax: 'json',
  formatCalls: formatJsonBlocks({ open: '<function_call> ' }),
}))
