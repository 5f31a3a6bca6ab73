/** `functools[{"name": …, "arguments": {…}}, …]`, or the list in `<|tool_call|>` tags, as written by Phi 4 mini. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { loose } from './engine/marker.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'
import { LONE_JSON, loneStart } from './families/json/lone-json.ts'
import { PHI_RESULT } from './families/results/result-turns.ts'

export const phi4mini = lazyDialect({ name: 'phi4mini', models: [/phi-?4-mini(?!-flash|-reasoning)/] }, () => ({
  controlTokens: CONTROL_TOKENS.phi,
  reasoning: THINK_TAGS,
  blocks: [
    jsonBlock({ open: loose('functools ['), holds: 'items' }),
    jsonBlock({ open: '<|tool_call|>', close: '<|/tool_call|>' }),
    LONE_JSON,
    PHI_RESULT,
  ],
  atStart: loneStart('calls', ['functools[', '<|tool_call|>']),
  syntax: 'json',
  formatCalls: formatJsonBlocks({ open: 'functools', together: 'list' }),
}))
