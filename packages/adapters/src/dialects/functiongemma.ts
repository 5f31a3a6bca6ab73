/** `<start_function_call>call:name{key:<escape>text<escape>, …}<end_function_call>`, as written by FunctionGemma. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { customLiteral } from './families/literal/custom-literal.ts'

export const functiongemma = lazyDialect({ name: 'functiongemma', models: [/functiongemma/] }, () => ({
  controlTokens: CONTROL_TOKENS.functiongemma,
  reasoning: THINK_TAGS,
  ...customLiteral({ open: '<start_function_call>', close: '<end_function_call>', quote: '<escape>' }),
  ignored: ['<end_of_turn>', '<eos>'],
  // These markers start a result or a user's turn that the model invents.
  end: ['<start_function_response>', '<start_of_turn>user'],
}))
