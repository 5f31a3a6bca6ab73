/** `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, as Kimi K2 writes it. */

import { CONTROL_TOKENS } from './define/control-tokens.ts'
import { defineDialect } from './define/define-dialect.ts'
import type { WritableCall } from './define/definition.ts'
import { callSections, loneSeparator } from './families/named-json/call-sections.ts'
import { KIMI_RESULT } from './families/results/result-turns.ts'

const SECTION = {
  open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
  close: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
}
const CALL = {
  open: ['<|tool_call_begin|>'],
  separator: ['<|tool_call_argument_begin|>'],
  close: ['<|tool_call_end|>'],
}

const OPTIONS = { section: SECTION, call: CALL, name: 'before', toCall, toHead } as const
const { blocks, formatCalls } = callSections(OPTIONS)

export const kimiK2 = defineDialect({
  name: 'kimi_k2',
  models: [/kimi-k2(?!\d)/],
  controlTokens: CONTROL_TOKENS.kimi,
  reasoning: { open: '<think>', close: '</think>' },
  ignored: [...SECTION.close, ...CALL.close, '<|im_end|>'],
  // The model makes up the call's result.
  policy: { textAfterCalls: 'drop' },
  blocks: [...blocks, loneSeparator(OPTIONS), KIMI_RESULT],
  formatCalls,
  formatResult: ({ callId, text }, toHarmless) => `## Return of ${toHarmless(callId)}\n${toHarmless(text)}`,
})

/** `functions.NAME:IDX` is the call's id, which its result repeats. Without a number it isn't an id. */
function toCall(head: string): { name: string; id?: string } {
  const name = head.startsWith(SPACE) ? head.slice(SPACE.length) : head
  const colon = name.lastIndexOf(':')
  return colon > 0 && /^\d+$/.test(name.slice(colon + 1)) ? { name: name.slice(0, colon), id: head } : { name }
}

const SPACE = 'functions.'

/** The call's own id if it is one of Kimi's, because the result names it. */
function toHead({ id, name }: WritableCall, index: number): string {
  const read = toCall(id)
  return read.id !== undefined && read.name === name ? id : `${SPACE}${name}:${index}`
}
