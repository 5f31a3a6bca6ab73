/** `<TOOLCALL>[{"name": …, "arguments": {…}}, …]</TOOLCALL>`, as written by Nemotron Nano 2. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { jsonList } from './families/json/json-block.ts'
import { inventedResult } from './families/results/invented-result.ts'
import { NEMOTRON_RESULT } from './families/results/result-turns.ts'

export const nemotronJson = lazyDialect({ name: 'nemotron_json', tunes: [/nemotron-nano-(?:9b|12b)-v2/] }, () => ({
  controlTokens: CONTROL_TOKENS.nemotron,
  reasoning: THINK_TAGS,
  ...jsonList('TOOLCALL', [
    inventedResult({ open: '<TOOL_RESPONSE>', close: '</TOOL_RESPONSE>', isPlain: true }),
    NEMOTRON_RESULT,
  ]),
}))
