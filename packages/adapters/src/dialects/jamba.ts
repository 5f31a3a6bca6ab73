/** `<tool_calls>[{"name": …, "arguments": {…}}, …]</tool_calls>`, as written by Jamba. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { jsonList } from './families/json/json-block.ts'
import { JAMBA_RESULT } from './families/results/result-turns.ts'

export const jamba = lazyDialect({ name: 'jamba', models: [/jamba(?!-v0)/] }, () => ({
  controlTokens: CONTROL_TOKENS.jamba,
  reasoning: THINK_TAGS,
  ...jsonList('tool_calls', [JAMBA_RESULT], ' '),
}))
