/** `<tool_calls>[{"name": …, "arguments": {…}}, …]</tool_calls>`, as written by Apriel. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { jsonList } from './families/json/json-block.ts'
import { APRIEL_RESULT } from './families/results/result-turns.ts'

/** The models' prompt ends with the marker that opens reasoning, so parsers need `startsInReasoning: true`. */
export const apriel = lazyDialect({ name: 'apriel', models: [/apriel/] }, () => ({
  controlTokens: CONTROL_TOKENS.apriel,
  reasoning: { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' },
  ignored: '[END FINAL RESPONSE]',
  ...jsonList('tool_calls', [APRIEL_RESULT]),
}))
