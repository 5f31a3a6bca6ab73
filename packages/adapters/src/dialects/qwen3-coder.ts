/** `<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>`, as written by Qwen 3 Coder, Qwen3-Next, Qwen 3.5, Nemotron 3 Nano and MiMo V2. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { formatFunctionTags } from './families/function-tags/format-function-tags.ts'
import { functionTags } from './families/function-tags/function-tags.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { CHATML_RESULT } from './families/results/result-turns.ts'

export const qwen3Coder = lazyDialect(
  { name: 'qwen3_coder', models: [/qwen-?3(?:-coder|-next|\.[568](?!\d))/, /(?:^|-)mimo-v2/], tunes: [/nemotron-?3-nano/] },
  () => ({
    controlTokens: CONTROL_TOKENS.qwen,
    reasoning: THINK_TAGS,
    blocks: [...functionTags({ wrapper: 'tool_call', trim: 'lines' }), INVENTED_TOOL_RESPONSE, CHATML_RESULT],
    formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'tool_call' }),
  }),
)
