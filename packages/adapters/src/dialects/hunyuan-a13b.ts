/** `<tool_calls>[{"name": …, "arguments": {…}}, …]</tool_calls>`, as written by Hunyuan A13B; answers are in `<answer>` tags. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { jsonList } from './families/json/json-block.ts'
import { INVENTED_TOOL_RESPONSE } from './families/results/invented-result.ts'
import { HUNYUAN_A13B_RESULT } from './families/results/result-turns.ts'

export const hunyuanA13b = lazyDialect({ name: 'hunyuan_a13b', models: [/hunyuan-a13b/] }, () => ({
  controlTokens: CONTROL_TOKENS.hunyuan,
  reasoning: THINK_TAGS,
  ignored: ['<answer>', '</answer>'],
  ...jsonList('tool_calls', [INVENTED_TOOL_RESPONSE, HUNYUAN_A13B_RESULT]),
}))
