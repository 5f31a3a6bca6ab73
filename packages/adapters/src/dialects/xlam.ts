/** `[{"name": …, "arguments": {…}}]`, bare, in a code fence, or after a marker, as written by xLAM. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import type { BlockDefinition } from './define/definition.ts'
import { MarkerSet } from './engine/marker.ts'
import { bareJson, passTo } from './families/bare-json/bare-json.ts'
import { formatJsonBlocks } from './families/json/json-block.ts'
import { loneStart } from './families/json/lone-json.ts'

const END_OF_THOUGHT = new MarkerSet({ end: '</think>' })

/**
 * Reads reasoning as text. These models weren't trained to reason. If one does so anyway, the reasoning stays in the text, and
 * JSON in it isn't a call.
 */
const thought: BlockDefinition = {
  open: '<think>',
  read: (context) => passTo(context, END_OF_THOUGHT),
}

export const xlam = lazyDialect({ name: 'xlam', tunes: [/xlam/] }, () => ({
  // Models of three families were fine-tuned on this dialect.
  controlTokens: [...CONTROL_TOKENS.qwen, ...CONTROL_TOKENS.llama3, ...CONTROL_TOKENS.mistral],
  reasoning: { open: [], close: '</think>' },
  blocks: [thought, bareJson({ open: ['[TOOL_CALLS]', '<tool_call>'], close: ['</tool_call>', '[/TOOL_CALLS]'] })],
  atStart: loneStart('members'),
  policy: { unknownTool: 'text', malformedBlock: 'text', callInReasoning: 'ignore', callInFence: 'call' },
  syntax: 'json',
  formatCalls: formatJsonBlocks({ together: 'list' }),
  results: 'escape-if-read',
}))
