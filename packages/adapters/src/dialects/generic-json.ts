/** `{"name": …, "arguments": {…}}` without any marker: what models write that were never taught a way to call tools. */
import { defineDialect } from './define-dialect.ts'
import { bareJson } from './families/bare-json.ts'
import { formatJsonBlocks } from './families/json-block.ts'

export const genericJson = defineDialect({
  name: 'generic_json',
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [bareJson({ open: ['<tool_call>'], close: ['</tool_call>'] })],
  // Reasoning is full of JSON that is no call.
  policy: { unknownTool: 'text', unfinished: 'cut', callInReasoning: 'ignore', callInFence: 'call' },
  formatCalls: formatJsonBlocks({}),
  results: 'escape-if-read',
})
