/** One line of JSON per call between `<tool_calls>` and `</tool_calls>`, as written by MiniMax M1. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatJsonBlocks } from './families/json/json-block.ts'
import { jsonLines } from './families/json/json-lines.ts'
import { MINIMAX_M1_RESULT } from './families/results/result-turns.ts'

export const minimax = lazyDialect({ name: 'minimax', models: [/minimax-m1(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.minimax,
  reasoning: THINK_TAGS,
  ignored: '</tool_calls>',
  blocks: [jsonLines({ open: '<tool_calls>', close: '</tool_calls>' }), MINIMAX_M1_RESULT],
  // Same policy as on MiniMax's servers: a line without arguments isn't a call, and a block never becomes text.
  policy: { missingArguments: 'malformed', malformedBlock: 'drop' },
  syntax: 'json',
  formatCalls: formatJsonBlocks({ open: '<tool_calls>\n', close: '\n</tool_calls>', together: 'lines' }),
}))
