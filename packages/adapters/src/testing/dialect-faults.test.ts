/** Tests that the contract finds each fault planted in a dialect, with the expected check. */
import type { ToolSpec } from '@x/tool-core'
import { expect, it } from 'vitest'
import { base, define, mapCalls, rereading, restreaming } from '../../test/testing/planted-dialect.ts'
import { JSON_FORM, readAtOnce, readEarly, readJsonSlowly, readSlowly } from '../../test/testing/planted-readers.ts'
import type { BlockDefinition } from '../dialects/define/definition.ts'
import type { Dialect, ParserOptions, TextParser } from '../dialects/define/dialect.ts'
import { jsonBlock } from '../dialects/families/json/json-block.ts'
import type { LMDelta, RawToolCall } from '../protocol/protocol.ts'
import type { DialectSample } from './dialect-check.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import { dialectContract } from './dialect-contract.ts'

const SAMPLES: readonly DialectSample[] = [
  {
    text: 'Look.\n<json>{"name": "find", "arguments": {"city": "Oslo", "days": 42}}</json>',
    calls: [{ name: 'find', args: { city: 'Oslo', days: 42 } }],
    content: 'Look.',
  },
  { text: '<json>{"name": "find", "arguments": {"days": 42}}</json>', calls: [{ name: 'find', args: { days: 42 } }] },
  { text: '<json>{"name": "find", "arguments": {}}</json>', calls: [{ name: 'find', args: {} }] },
]

function checksOf(dialect: Dialect, samples = SAMPLES) {
  return dialectContract(dialect, { runs: 10, leastWritten: 0.2, samples })
}

function checkOf(id: DialectCheckId, dialect: Dialect, samples = SAMPLES): (() => void) | undefined {
  return checksOf(dialect, samples).find((check) => check.id === id)?.run
}

function showing(
  change: (tool: ToolSpec['function']) => ToolSpec['function'],
  method: 'formatTools' | 'formatMoreTools',
): Dialect {
  const format = (tools: readonly ToolSpec[]) => base[method](tools.map((tool) => ({ ...tool, function: change(tool.function) })))
  return { ...base, [method]: format }
}

const withoutDescription = ({ description, ...tool }: ToolSpec['function']) => ({ ...tool, description: '' })
const withoutParameters = (tool: ToolSpec['function']) => ({
  ...tool,
  parameters: JSON.parse(JSON.stringify(tool.parameters, (key, value) => (key === 'description' ? undefined : value))),
})

const withoutValues = (tool: ToolSpec['function']) => ({
  ...tool,
  parameters: JSON.parse(JSON.stringify(tool.parameters, (key, value) => (key === 'enum' ? undefined : value))),
})

/** Adds required parameters that the call doesn't have. */
function inventing(call: RawToolCall, options: ParserOptions | undefined, toValue: (schema: { default?: unknown }) => unknown) {
  const parameters = options?.tools?.find((tool) => tool.function.name === call.name)?.function.parameters
  if (call.arguments !== '{}' || parameters === undefined) return call
  const { properties = {}, required = [] } = parameters as { properties?: Record<string, object>; required?: readonly string[] }
  const args = Object.fromEntries(required.map((key) => [key, toValue(properties[key] ?? {})]))
  return { ...call, arguments: JSON.stringify(args) }
}

/** Treats a block that can't be read as a block without calls. */
const swallowing = ({ read, ...block }: BlockDefinition): BlockDefinition => ({
  ...block,
  *read(context) {
    const outcome = yield* read(context)
    return outcome === 'malformed' ? 'read' : outcome
  },
})

const faults: readonly (readonly [what: string, check: DialectCheckId, dialect: Dialect])[] = [
  [
    'a form that is only parsed loses a value',
    'samples',
    define(
      {},
      {
        ...JSON_FORM,
        read: jsonBlock({ open: '<json>', close: '</json>', shape: { arguments: ['args'], otherArguments: 'empty' } }).read,
      },
    ),
  ],
  [
    'the result of a form that is only parsed depends on how the text is split',
    'cut-anywhere',
    define({}, { ...JSON_FORM, read: readAtOnce }),
  ],
  ['a form that is only parsed emits half a number', 'prefix', define({}, { ...JSON_FORM, read: readEarly })],
  [
    'parsing the value of a form that is only parsed takes quadratic work',
    'linear',
    define({}, { ...JSON_FORM, read: readJsonSlowly }),
  ],
  [
    'a result contains a form that is only parsed',
    'result',
    {
      ...base,
      formatResult: ({ text }) => text.replaceAll('<fn', '&lt;fn').replaceAll('<arg', '&lt;arg').replaceAll('</', '&lt;/'),
    },
  ],
  [
    'a form that is only parsed merges a parameter with two values',
    'repeated-parameter',
    rereading((reading) => mapCalls(reading, (call) => ({ ...call, arguments: JSON.stringify(JSON.parse(call.arguments)) }))),
  ],
  [
    'a form that is only parsed does not need arguments',
    'missing-arguments',
    rereading((reading, text, options) =>
      text.startsWith('<json>') ? base.parse(text, { ...options, missingArguments: 'empty' }) : reading,
    ),
  ],
  ['the last tool is not in the prompt', 'shown', { ...base, formatTools: (tools) => base.formatTools(tools.slice(0, -1)) }],
  ['tools that are added later are not shown', 'shown', { ...base, formatMoreTools: () => '' }],
  [
    'a result is truncated',
    'shown',
    { ...base, formatResult: (observation) => base.formatResult({ ...observation, text: observation.text.slice(0, 9) }) },
  ],
  [
    'parsing the value of a parameter takes quadratic work',
    'linear',
    define({ blocks: [{ open: '<fn name="', read: readSlowly }, JSON_FORM] }),
  ],
  [
    'a value loses its last line break',
    'round-trip',
    rereading((reading) => mapCalls(reading, (call) => ({ ...call, arguments: call.arguments.replaceAll('\\n"', '"') }))),
  ],
  [
    'the second call of a turn is lost',
    'round-trip-turn',
    rereading((reading) => ({ ...reading, toolCalls: reading.toolCalls.slice(0, 1) })),
  ],
  [
    'text before a call is lost',
    'round-trip-open',
    rereading((reading) => (reading.toolCalls.length > 0 ? { ...reading, text: '' } : reading)),
  ],
  [
    'prose loses its brackets',
    'plain-text',
    restreaming((deltas) =>
      deltas.map((delta) => (delta.type === 'text' ? { ...delta, text: delta.text.replaceAll('<', '') } : delta)),
    ),
  ],
  ['prose is emitted only at the end', 'streams', { ...base, streamParser: holding }],
  [
    'parsing damaged text throws',
    'damaged',
    rereading((reading, text) => {
      if (text.includes('__proto__')) throw new TypeError('__proto__')
      return reading
    }),
  ],
  ['two calls have the same id', 'ids-unique', rereading((reading) => mapCalls(reading, (call) => ({ ...call, id: 'call_0' })))],
  [
    'a call to an unknown tool has no tag',
    'unknown-tool',
    rereading((reading) => mapCalls(reading, ({ tags, ...call }) => call)),
  ],
  [
    'an unfinished call is returned although none is requested',
    'unfinished',
    rereading((reading, text, options) =>
      options?.unfinished === 'never' ? base.parse(text, { ...options, unfinished: 'whole' }) : reading,
    ),
  ],
  [
    'a malformed block is dropped',
    'malformed-block',
    rereading((_, text, options) => base.parse(text, { ...options, malformedBlock: 'drop' })),
  ],
  [
    'text after calls is dropped',
    'text-after-calls',
    rereading((_, text, options) => base.parse(text, { ...options, textAfterCalls: 'drop' })),
  ],
  [
    'a call in a fence is treated as a call',
    'call-in-fence',
    rereading((_, text, options) => base.parse(text, { ...options, callInFence: 'call' })),
  ],
  ['the dialect lists no control tokens', 'control-tokens', { ...base, controlTokens: [] }],
  ['a result contains a control token', 'control-tokens', { ...base, formatResult: ({ text }) => `<result>${text}</result>` }],
  ['a tool contains a control token', 'control-tokens', { ...base, formatTools: (tools) => JSON.stringify(tools) }],
  [
    'a tool that is added later contains a control token',
    'control-tokens',
    { ...base, formatMoreTools: (tools) => JSON.stringify(tools) },
  ],
  ['a message of the user contains a control token', 'control-tokens', { ...base, formatUserText: (text) => text }],
  [
    'a message of the user without control tokens is escaped',
    'control-tokens',
    { ...base, formatUserText: (text) => text.replaceAll('<', '&#60;') },
  ],
  ['a quoted call is treated as a call', 'quoted-call', restreaming((deltas) => deltas, { quotedCall: 'call' })],
  [
    'a call in closed reasoning is treated as a call',
    'call-in-reasoning',
    rereading((reading, text, options) =>
      options?.callInReasoning === 'unless-closed' ? base.parse(text, { ...options, callInReasoning: 'call' }) : reading,
    ),
  ],
  [
    'a call in reasoning is treated as a call',
    'call-in-reasoning',
    rereading((_, text, options) => base.parse(text, { ...options, callInReasoning: 'call' })),
  ],
  [
    'a call in reasoning after text is treated as a call',
    'call-in-reasoning',
    rereading((reading, text, options) =>
      text.startsWith('Well.') ? base.parse(text, { ...options, callInReasoning: 'call' }) : reading,
    ),
  ],
  [
    'names lose their capitals',
    'round-trip',
    rereading((reading) => mapCalls(reading, (call) => ({ ...call, name: call.name.toLowerCase() }))),
  ],
  [
    'Windows line breaks become Unix line breaks',
    'round-trip',
    rereading((reading) => mapCalls(reading, (call) => ({ ...call, arguments: call.arguments.replaceAll('\\r\\n', '\\n') }))),
  ],
  [
    'a complete reply loses empty lines',
    'plain-text',
    rereading((reading) => ({ ...reading, text: reading.text.replaceAll('\n\n', '\n') })),
  ],
  [
    'a complete reply loses spaces at the ends of lines',
    'plain-text',
    rereading((reading) => ({ ...reading, text: reading.text.replaceAll(/ +$/gm, '') })),
  ],
  [
    'a complete call counts as truncated if truncated calls are requested',
    'unfinished',
    rereading((reading, _, options) =>
      options?.unfinished === 'cut' ? mapCalls(reading, (call) => ({ ...call, truncated: true })) : reading,
    ),
  ],
  [
    'without tools, each call counts as a call to an unknown tool',
    'unknown-tool',
    rereading((reading, _, options) =>
      options?.tools === undefined ? mapCalls(reading, (call) => ({ ...call, tags: ['unknown_tool'] })) : reading,
    ),
  ],
  [
    'a call in a fence of tildes is treated as a call',
    'call-in-fence',
    rereading((reading, text, options) =>
      text.includes('~~~') ? base.parse(text, { ...options, callInFence: 'call' }) : reading,
    ),
  ],
  ...(
    [
      ['on a quoted line', /^>/m],
      ['in indented code', /^ {4}/m],
    ] as const
  ).map(
    ([where, pattern]) =>
      [
        `a call ${where} of a complete reply is treated as a call`,
        'quoted-call',
        rereading((reading, text, options) =>
          pattern.test(text) ? base.parse(text, { ...options, quotedCall: 'call' }) : reading,
        ),
      ] as const,
  ),
  ...(['first', 'last', 'list'] as const).flatMap(
    (repeatedParameter) =>
      [
        [
          `a parameter with two values has the policy \`${repeatedParameter}\` whatever was requested`,
          'repeated-parameter',
          rereading((_, text, options) => base.parse(text, { ...options, repeatedParameter })),
        ],
        [
          `a parameter with two values loses its tag with the policy \`${repeatedParameter}\``,
          'repeated-parameter',
          rereading((reading, _, options) =>
            options?.repeatedParameter === repeatedParameter ? mapCalls(reading, ({ tags, ...call }) => call) : reading,
          ),
        ],
      ] as const,
  ),
  ['a call whose parameter has two values is lost', 'repeated-parameter', rereading(({ malformedCalls, ...reading }) => reading)],
  [
    'a call without arguments has null for each required parameter',
    'missing-arguments',
    rereading((reading, _, options) => mapCalls(reading, (call) => inventing(call, options, () => null))),
  ],
  [
    'a call without arguments has the defaults of its parameters',
    'missing-arguments',
    rereading((reading, _, options) => mapCalls(reading, (call) => inventing(call, options, (schema) => schema.default))),
  ],
  [
    'a call without arguments is dropped',
    'missing-arguments',
    rereading((reading) => ({ ...reading, text: '', toolCalls: reading.toolCalls.filter((call) => call.arguments !== '{}') })),
  ],
  ['reasoning is lost', 'plain-text', rereading(({ reasoning, ...reading }) => reading)],
  ['reasoning is treated as text', 'plain-text', { ...define({ reasoning: undefined }), reasoning: base.reasoning }],
  [
    'reasoning is streamed as text',
    'plain-text',
    restreaming((deltas) => deltas.map((delta) => (delta.type === 'reasoning' ? { ...delta, type: 'text' } : delta))),
  ],
  [
    'reasoning before a call is lost',
    'plain-text',
    rereading(({ reasoning, ...reading }) => (reading.toolCalls.length > 0 ? reading : { ...reading, reasoning })),
  ],
  [
    'reasoning that starts in the prompt is treated as text',
    'plain-text',
    rereading((reading, text, options) => (options?.startsInReasoning ? { text, toolCalls: [] } : reading)),
  ],
  ...(['unknown_tool', 'missing_end'] as const).map(
    (lost) =>
      [
        `calls of a stream lose the tag ${lost}`,
        'cut-anywhere',
        restreaming((deltas) =>
          deltas.map((delta) =>
            delta.type === 'call_end' ? { ...delta, tags: delta.tags?.filter((tag) => tag !== lost) } : delta,
          ),
        ),
      ] as const,
  ),
  [
    'a stream does not report a malformed block',
    'cut-anywhere',
    restreaming((deltas) => deltas.filter(({ type }) => type !== 'malformed_call')),
  ],
  [
    'calls to unknown tools are dropped',
    'unknown-tool',
    rereading((reading) => ({ ...reading, toolCalls: reading.toolCalls.filter(({ tags }) => !tags?.includes('unknown_tool')) })),
  ],
  [
    'calls to unknown tools are dropped if they should be text',
    'unknown-tool',
    rereading((reading, _, options) => (options?.unknownTool === 'text' ? { ...reading, text: '' } : reading)),
  ],
  ['a malformed block is not reported', 'malformed-block', rereading(({ malformedCalls, ...reading }) => reading)],
  ['a malformed block of a form that is only parsed counts as parsed', 'malformed-block', define({}, swallowing(JSON_FORM))],
  ...(['formatTools', 'formatMoreTools'] as const).flatMap(
    (method) =>
      [
        [`${method} leaves out the description of a tool`, 'shown', showing(withoutDescription, method)],
        [`${method} leaves out the description of a parameter`, 'shown', showing(withoutParameters, method)],
        [`${method} leaves out the values of a parameter`, 'shown', showing(withoutValues, method)],
      ] as const,
  ),
]

function holding(options?: ParserOptions): TextParser {
  const parser = base.streamParser(options)
  const held: LMDelta[] = []
  return {
    push(text) {
      held.push(...parser.push(text))
      return []
    },
    end: () => [...held, ...parser.end()],
  }
}

it.each(checksOf(base))('passes without a fault: $id', ({ run }) => {
  expect(run).not.toThrow()
})

it.each(faults)('finds that %s: %s', (_, check, dialect) => {
  expect(checkOf(check, dialect)).toThrow(expect.objectContaining({ name: 'ContractError', check }))
})

it('has at least one fault for each check', () => {
  const checks = checksOf(base).map(({ id }) => id)
  expect([...new Set(faults.map(([, check]) => check))].sort()).toEqual([...checks].sort())
})

it.each(faults.slice(0, 7))('needs samples to find that %s: %s', (_, check, dialect) => {
  expect(checkOf(check, dialect, [])).not.toThrow()
})
