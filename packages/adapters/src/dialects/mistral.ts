/** `[TOOL_CALLS]name[ARGS]{…}`, or `[TOOL_CALLS] [{"name": …, "arguments": {…}}]` before tokenizer version 11, as written by Mistral's models. */

import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import type { WritableCall } from './define/definition.ts'
import { loose } from './engine/marker.ts'
import { formatJsonBlocks } from './families/json/json-block.ts'
import { LONE_JSON } from './families/json/lone-json.ts'
import { mistralCalls } from './families/named-json/mistral-calls.ts'
import { inventedResult } from './families/results/invented-result.ts'

export const mistral = lazyDialect(
  { name: 'mistral', models: [/(?:^|-)(?:mistral|mixtral|ministral|devstral|magistral|pixtral|codestral)(?![a-z])/] },
  () => ({
    controlTokens: CONTROL_TOKENS.mistral,
    // White space before the open marker is removed together with the marker.
    reasoning: { open: [loose(' [THINK]'), loose(' <think>')], close: ['[/THINK]', '</think>'], anywhere: true },
    blocks: [
      mistralCalls(),
      LONE_JSON,
      inventedResult({ open: ['[TOOL_RESULTS]', loose('</s> [INST]'), '[INST]'], close: '[/TOOL_RESULTS]' }),
    ],
    ignored: '[/TOOL_CALLS]',
    policy: { malformedBlock: 'text' },
    syntax: 'json',
    formatCalls: (calls) =>
      calls.every(({ name }) => NAME_BEFORE_ARGS.test(name)) ? calls.map(toNamed).join('') : toList(calls),
  }),
)

/**
 * Names that may precede `[ARGS]`. If a call has any other name, all calls of the turn are written as a JSON list, which this
 * dialect also reads.
 */
const NAME_BEFORE_ARGS = /^[\w.:/-]+$/

function toNamed({ name, json }: WritableCall): string {
  return `[TOOL_CALLS]${name}[ARGS]${json}`
}

const toList = formatJsonBlocks({ open: '[TOOL_CALLS] ', together: 'list' })
