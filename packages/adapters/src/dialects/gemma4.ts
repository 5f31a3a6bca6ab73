/** `<|tool_call>call:name{key:<|"|>text<|"|>, …}<tool_call|>`, as written by Gemma 4. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { customLiteral } from './families/literal/custom-literal.ts'

export const gemma4 = lazyDialect({ name: 'gemma4', models: [/(?:^|-)gemma-?4(?=-|$)/] }, () => ({
  controlTokens: CONTROL_TOKENS.gemma4,
  reasoning: {
    open: '<|channel>',
    close: '<channel|>',
    anywhere: true,
    channels: { reasoning: ['thought', 'thoughts', 'thinking', 'analysis'], text: ['final', 'answer', 'response', 'commentary'] },
  },
  ...customLiteral({ open: '<|tool_call>', close: '<tool_call|>', quote: '<|"|>' }),
  ignored: ['<turn|>', '<eos>'],
  // These markers start a result or a user's turn that the model invents.
  end: ['<|tool_response>', '<|turn>user'],
  policy: { unfinished: 'cut' },
}))
