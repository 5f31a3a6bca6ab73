/** `<seed:tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></seed:tool_call>`, as written by Seed OSS. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { formatFunctionTags } from './families/function-tags/format-function-tags.ts'
import { functionTags } from './families/function-tags/function-tags.ts'
import { resultTags } from './families/results/invented-result.ts'
import { SEED_RESULT } from './families/results/result-turns.ts'

export const seedOss = lazyDialect({ name: 'seed_oss', models: [/seed-oss/] }, () => ({
  controlTokens: CONTROL_TOKENS.seed,
  reasoning: { open: '<seed:think>', close: '</seed:think>' },
  blocks: [...functionTags({ wrapper: 'seed:tool_call', trim: 'pair' }), SEED_RESULT, resultTags({ prefix: 'seed:' })],
  formatCalls: (calls) => formatFunctionTags(calls, { wrapper: 'seed:tool_call', isInline: true }),
}))
