/** `{"name": …, "parameters": {…}}` with `;` between calls, as written by Llama 3.1 to 3.3, and by Llama 4 in JSON mode. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { bareJson } from './families/bare-json/bare-json.ts'
import { formatJsonBlocks } from './families/json/json-block.ts'
import { loneStart } from './families/json/lone-json.ts'
import { LLAMA3_RESULT } from './families/results/result-turns.ts'

export const llama3Json = lazyDialect({ name: 'llama3_json', models: [/(?:^|-)llama-?3\.[123](?!\d)(?!-(?:1|3)b)/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama3,
  reasoning: THINK_TAGS,
  blocks: [
    bareJson({
      open: ['<|python_tag|>'],
      shape: { name: ['name', 'function'], arguments: ['parameters', 'arguments'], inside: ['function'] },
    }),
    LLAMA3_RESULT,
  ],
  atStart: loneStart('members'),
  policy: {
    unknownTool: 'text',
    malformedBlock: 'text',
    callInReasoning: 'ignore',
    missingArguments: 'malformed',
  },
  syntax: 'json',
  formatCalls: formatJsonBlocks({ argumentsKey: 'parameters', separator: '; ' }),
  results: 'escape-if-read',
}))
