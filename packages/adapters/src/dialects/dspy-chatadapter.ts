/**
 * Sections `[[ ## field ## ]]`, as DSPy's ChatAdapter requests them. Calls are in `tool_calls`, or in the fields of DSPy's ReAct.
 */
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { ALL_CONTROL_TOKENS } from './define/own-dialect.ts'
import { loose, NUMBER } from './engine/marker.ts'
import { readFieldCalls, readNextTool, readObservation } from './families/sections/field-calls.ts'
import { sections } from './families/sections/sections.ts'

/** Fields without calls stay in the text, with their headers. */
export const dspyChatadapter = lazyDialect({ name: 'dspy_chatadapter' }, () => ({
  controlTokens: ALL_CONTROL_TOKENS,
  reasoning: THINK_TAGS,
  ...sections(
    {
      calls: '[[ ## tool_calls ## ]]',
      next: '[[ ## next_tool_name ## ]]',
      observation: `[[ ## observation_${NUMBER} ## ]]`,
    },
    { calls: readFieldCalls, next: readNextTool, observation: readObservation },
  ),
  // The model writes this header after the last field.
  ignored: loose('\n [[ ## completed ## ]]'),
  policy: { unfinished: 'cut' },
  syntax: 'json',
  formatCalls(calls) {
    const objects = calls.map(({ name, json }) => `{"name": ${JSON.stringify(name)}, "args": ${json}}`)
    return `[[ ## tool_calls ## ]]\n{"tool_calls": [${objects.join(', ')}]}\n\n[[ ## completed ## ]]`
  },
}))
