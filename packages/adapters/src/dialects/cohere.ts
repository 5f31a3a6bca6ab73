/** `<|START_ACTION|>[{"tool_name": …, "parameters": {…}}]<|END_ACTION|>`, as written by Cohere's Command models. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import type { BlockContext, BlockOutcome } from './engine/block.ts'
import { loose } from './engine/marker.ts'
import type { Reading } from './engine/text-input.ts'
import { jsonBlock } from './families/json/json-block.ts'
import { inventedResult } from './families/results/invented-result.ts'
import { COHERE_RESULT } from './families/results/result-turns.ts'

const SHAPE = {
  name: ['tool_name', 'name'],
  arguments: ['parameters', 'arguments'],
  id: ['tool_call_id', 'id'],
}

/** Removes one tag of a citation, such as `<co: 0:[1]>`. Keeps the cited text between the tags. */
function* readCitation({ input, opener }: BlockContext): Reading<BlockOutcome> {
  if (opener.endsWith('>')) return 'read'
  yield* input.takeWhile((code) => SOURCES.includes(String.fromCharCode(code)), LONGEST_SOURCES)
  if ((yield* input.peek()) !== '>') return 'text'
  input.at++
  return 'read'
}

const SOURCES = '0123456789:,[] '
const LONGEST_SOURCES = 256

export const cohere = lazyDialect({ name: 'cohere', models: [/(?:^|-)command-(?:r|a)(?![a-z])/] }, () => ({
  controlTokens: CONTROL_TOKENS.cohere,
  reasoning: { open: '<|START_THINKING|>', close: '<|END_THINKING|>', anywhere: true },
  ignored: [
    ...['START_RESPONSE', 'END_RESPONSE', 'START_TEXT', 'END_TEXT', 'END_ACTION'].map((word) => `<|${word}|>`),
    ...['CHATBOT_TOKEN', 'START_OF_TURN_TOKEN'].map((word) => `<|${word}|>`),
  ],
  blocks: [
    jsonBlock({ open: '<|START_ACTION|>', close: '<|END_ACTION|>', shape: SHAPE }),
    // The format of the 2024 Command R and Command R+.
    jsonBlock({ open: loose('Action: ```json'), close: '```', shape: SHAPE }),
    inventedResult({ open: '<|START_TOOL_RESULT|>', close: '<|END_TOOL_RESULT|>' }),
    COHERE_RESULT,
    { open: ['<co>', '<co:', '</co>', '</co:'], read: readCitation, isMarkup: true },
  ],
  // Same policy as on Cohere's servers. The markers are single tokens, so a malformed block is dropped, and an incomplete call is
  // returned as truncated.
  policy: { malformedBlock: 'drop', unfinished: 'cut' },
  formatCalls(calls) {
    const lines = calls.map(
      ({ id, name, json }) =>
        `    {"tool_call_id": ${JSON.stringify(id)}, "tool_name": ${JSON.stringify(name)}, "parameters": ${json}}`,
    )
    return `<|START_ACTION|>[\n${lines.join(',\n')}\n]<|END_ACTION|>`
  },
  formatResult({ callId, ok, text }, toHarmless) {
    const result = { tool_call_id: callId, results: { 0: { content: toHarmless(text) } }, is_error: ok ? null : true }
    return `<|START_TOOL_RESULT|>${JSON.stringify([result])}<|END_TOOL_RESULT|>`
  },
}))
