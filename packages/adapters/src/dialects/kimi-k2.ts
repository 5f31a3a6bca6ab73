/** `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, as written by Kimi K2. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
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

export const kimiK2 = lazyDialect({ name: 'kimi_k2', models: [/kimi-k2(?!\d)/] }, () => {
  const { blocks, formatCalls } = callSections(OPTIONS)
  return {
    controlTokens: CONTROL_TOKENS.kimi,
    reasoning: THINK_TAGS,
    ignored: [...SECTION.close, ...CALL.close],
    // After a call, the model often invents its result.
    policy: { textAfterCalls: 'drop' },
    blocks: [...blocks, loneSeparator(OPTIONS), KIMI_RESULT],
    formatCalls,
    formatResult: ({ callId, text }, toHarmless) => `## Return of ${toHarmless(callId)}\n${toHarmless(text)}`,
  }
})

/**
 * Reads the text before the arguments. `functions.NAME:0` is the id of the call, which its result refers to. Text without a
 * number is only a name.
 */
function toCall(head: string): { name: string; id?: string } {
  const name = head.startsWith(SPACE) ? head.slice(SPACE.length) : head
  const colon = name.lastIndexOf(':')
  return colon > 0 && /^\d+$/.test(name.slice(colon + 1)) ? { name: name.slice(0, colon), id: head } : { name }
}

const SPACE = 'functions.'

/**
 * Returns the id of the call if it has the form of Kimi's ids, because its result refers to it. Otherwise creates an id of that
 * form.
 */
function toHead({ id, name }: WritableCall, index: number): string {
  const read = toCall(id)
  return read.id !== undefined && read.name === name ? id : `${SPACE}${name}:${index}`
}
