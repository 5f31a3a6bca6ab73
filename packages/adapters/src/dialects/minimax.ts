/** `<tool_calls>`, a line of JSON for each call, `</tool_calls>`, as MiniMax M1 writes it. */
import { defineDialect } from './define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json-block.ts'

export const minimax = defineDialect({
  name: 'minimax',
  reasoning: { open: '<think>', close: '</think>' },
  ignored: '</tool_calls>',
  blocks: [jsonBlock({ open: '<tool_calls>', close: '</tool_calls>', separators: ',;' })],
  // As its servers do: a line without arguments is no call, and no block is ever text.
  policy: { missingArguments: 'unread', unreadBlock: 'drop' },
  formatCalls: formatJsonBlocks({ open: '<tool_calls>\n', close: '\n</tool_calls>', together: 'lines' }),
})
