/** `<tool_calls>[{"name": …, "arguments": {…}}, …]</tool_calls>`, as Hunyuan A13B writes it; its answers stand in `<answer>` tags. */
import { defineDialect } from './define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json-block.ts'

export const hunyuanA13b = defineDialect({
  name: 'hunyuan_a13b',
  reasoning: { open: '<think>', close: '</think>' },
  ignored: ['<answer>', '</answer>'],
  blocks: [jsonBlock({ open: '<tool_calls>', close: '</tool_calls>', separators: ',;' })],
  formatCalls: formatJsonBlocks({ open: '<tool_calls>', close: '</tool_calls>', together: 'list' }),
})
