/** ` functools[{"name": …, "arguments": {…}}, …]`, as written by Firefunction 2. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { loose } from './engine/marker.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'
import { LONE_JSON, loneStart } from './families/json/lone-json.ts'
import { LLAMA3_RESULT } from './families/results/result-turns.ts'

export const firefunction = lazyDialect({ name: 'firefunction', models: [/firefunction/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama3,
  reasoning: THINK_TAGS,
  blocks: [jsonBlock({ open: loose('functools ['), holds: 'items' }), LONE_JSON, LLAMA3_RESULT],
  atStart: loneStart('calls', ['functools[']),
  syntax: 'json',
  formatCalls: formatJsonBlocks({ open: ' functools', together: 'list' }),
}))
