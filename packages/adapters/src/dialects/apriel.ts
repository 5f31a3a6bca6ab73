/** `<tool_calls>[{"name": …, "arguments": {…}}, …]</tool_calls>`, as Apriel writes it. */
import { CONTROL_TOKENS } from './define/control-tokens.ts'
import { defineDialect } from './define/define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './families/json/json-block.ts'

/** Set `startsInReasoning` for the parser: the prompt of these models ends with the words that open their reasoning. */
export const apriel = defineDialect({
  name: 'apriel',
  models: [/apriel/],
  controlTokens: CONTROL_TOKENS.apriel,
  reasoning: { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' },
  ignored: '[END FINAL RESPONSE]',
  blocks: [jsonBlock({ open: '<tool_calls>', close: '</tool_calls>', separators: ',;' })],
  formatCalls: formatJsonBlocks({ open: '<tool_calls>', close: '</tool_calls>', together: 'list' }),
})
