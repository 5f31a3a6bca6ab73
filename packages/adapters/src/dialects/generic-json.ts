/** `{"name": …, "arguments": {…}}` without a marker, for models that were never trained on tool calls. */

import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { ALL_CONTROL_TOKENS } from './define/own-dialect.ts'
import { bareJson } from './families/bare-json/bare-json.ts'
import { formatJsonBlocks } from './families/json/json-block.ts'
import { loneStart } from './families/json/lone-json.ts'

export const genericJson = lazyDialect({ name: 'generic_json' }, () => ({
  controlTokens: ALL_CONTROL_TOKENS,
  reasoning: THINK_TAGS,
  blocks: [bareJson({ open: ['<tool_call>'], close: ['</tool_call>'] })],
  atStart: loneStart('members'),
  // Reasoning often contains JSON that isn't a call.
  policy: { unknownTool: 'text', unfinished: 'cut', callInReasoning: 'ignore', callInFence: 'call' },
  syntax: 'json',
  formatCalls: formatJsonBlocks({}),
  results: 'escape-if-read',
}))
