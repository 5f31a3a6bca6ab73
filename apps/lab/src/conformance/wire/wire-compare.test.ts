/** Tests the comparator of replies: keys that no wire format fills yet, strict arguments, and every wrong expected value. */
import type { LMResponse, RawToolCall } from '@x/adapters'
import { expect, it } from 'vitest'
import { wrongReplies } from '../../../test/conformance/mutants.ts'
import type { ExpectedCall, ExpectedReply } from './wire-case.ts'
import { compareReply } from './wire-compare.ts'

const response: LMResponse = {
  text: 'Hello',
  reasoning: 'First Oslo.',
  refusal: 'No.',
  toolCalls: [
    {
      id: 'a',
      name: 'add',
      arguments: '{"list":[1,{"deep":null}],"on":true}',
      metadata: { item: 'fc_1', extra: { space: 'math', sign: 'c2ln' } },
    },
    { id: 'call_1', name: 'cut', arguments: '{"a":"', truncated: true },
  ],
  finishReason: 'length',
  rawFinishReason: 'max_tokens',
  usage: { inputTokens: 9, outputTokens: 0 },
  error: { message: 'Too much', code: 'overloaded' },
  providerCalls: [{ type: 'server_tool_use', by: 'provider', id: 'srv_1', name: 'search', raw: {} }],
  metadata: { words: 'Cut off.' },
}
const expected: Required<ExpectedReply> & { note: string; usage_raw: object } = {
  text: 'Hello',
  reasoning: 'First Oslo.',
  refusal: 'No.',
  tool_calls: [
    {
      id: 'a',
      name: 'add',
      arguments: { on: true, list: [1, { deep: null }] },
      truncated: false,
      item_id: 'fc_1',
      namespace: 'math',
      thought_signature: 'c2ln',
    },
    { id: null, name: 'cut', arguments: null, error: 'truncated_json', arguments_raw: '{"a":"', truncated: true },
  ],
  finish: 'length',
  finish_reason: 'max_tokens',
  usage: { input_tokens: 9, output_tokens: null },
  error: { type: 'overloaded' },
  tool_plan: 'First Oslo.',
  finish_message: 'Cut off.',
  other_calls: [{ type: 'server_tool_use', id: 'srv_1', name: 'search', by: 'provider' }],
  note: 'words about the case',
  usage_raw: { tokens: 9 },
}

it('finds no difference between equal values', () => {
  expect(compareReply(response, expected)).toEqual([])
})

it('finds an error in every expected value', () => {
  const mutants = [...wrongReplies(expected)]
  expect(mutants.length).toBeGreaterThan(30)
  expect(mutants.filter(({ value }) => compareReply(response, value).length === 0).map(({ path }) => path)).toEqual([])
})

it.each<[string, ExpectedCall]>([
  ['', { arguments: {} }],
  ['null', { arguments: {} }],
  ['{"a":1}', { arguments: { a: 1.0 } }],
  ['"{}"', { arguments: null, error: 'not_object' }],
  ['[1]', { arguments: null, error: 'not_object' }],
  ['{"a":1,}', { arguments: null, error: 'invalid_json' }],
  ['{"a":1', { arguments: null, error: 'truncated_json' }],
])('reads the arguments %j strictly', (text, wanted) => {
  expect(compareCall({ id: 'a', name: 'add', arguments: text }, wanted)).toEqual([])
})

it('counts a call without a name as one that cannot be read', () => {
  expect(compareCall({ id: 'a', name: '', arguments: '{}' }, { name: null, arguments: null, error: 'missing_name' })).toEqual([])
})

it('finds duplicate ids, and one that was not minted', () => {
  const call = { name: 'add', arguments: '' }
  const twice = [
    { ...call, id: 'a' },
    { ...call, id: 'a' },
  ]
  expect(compareReply({ text: '', toolCalls: twice }, { tool_calls: [{ id: null }, { id: null }] })).toEqual([
    'tool_calls: an id appears twice',
  ])
  expect(compareCall({ ...call, id: '' }, { id: null })).toHaveLength(1)
})

it('accepts usage of 0 for usage that is not reported, and not the other way round', () => {
  const reply = (inputTokens?: number): LMResponse => ({ text: '', toolCalls: [], usage: { inputTokens } })
  for (const usage of [null, { input_tokens: null }]) {
    expect(compareReply(reply(), { usage })).toEqual([])
    expect(compareReply(reply(0), { usage })).toEqual([])
    expect(compareReply(reply(1), { usage })).toHaveLength(1)
  }
  expect(compareReply(reply(), { usage: { input_tokens: 0 } })).toHaveLength(1)
})

it.each([
  ['cached tokens', { prompt_tokens_details: { cached_tokens: 4 } }, { cacheReadTokens: 4 }],
  ['tokens written to the cache', { cache_creation_input_tokens: 3, cache_read_input_tokens: 0 }, { cacheWriteTokens: 3 }],
  ['reasoning tokens', { thoughtsTokenCount: 7, promptTokenCount: 2 }, { reasoningTokens: 7 }],
])('compares %s in the counts of the provider', (_, usage_raw, usage) => {
  expect(compareReply({ text: '', toolCalls: [], usage }, { usage_raw })).toEqual([])
  expect(compareReply({ text: '', toolCalls: [], usage: {} }, { usage_raw })).toHaveLength(1)
  const [field, count] = Object.entries(usage)[0] as [string, number]
  expect(compareReply({ text: '', toolCalls: [], usage: { [field]: count + 1 } }, { usage_raw })).toHaveLength(1)
})

it('compares the calls of the provider one by one, and expects other keys in the block of the provider', () => {
  const raw = { type: 'custom_tool_call', input: 'SELECT 1' }
  const reply: LMResponse = { text: '', toolCalls: [], providerCalls: [{ type: 'custom_tool_call', by: 'client', id: 'c', raw }] }
  const call = { type: 'custom_tool_call', by: 'client' as const, id: 'c', name: null, ...{ input: 'SELECT 1' } }
  expect(compareReply(reply, { other_calls: [call] })).toEqual([])
  const wrong = [[], [call, call], [{ ...call, id: null }], [{ ...call, ...{ input: 'SELECT 2' } }], [{ ...call, name: 'sql' }]]
  expect(wrong.filter((other_calls) => compareReply(reply, { other_calls }).length === 0)).toEqual([])
})

it('cannot check a call that is null, and a count that it does not know', () => {
  const call = { id: 'a', name: 'add', arguments: '' }
  expect(compareReply({ text: '', toolCalls: [call] }, { tool_calls: [null as never] })).toEqual([
    'tool_calls[0]: cannot check null',
  ])
  expect(compareReply({ text: '', toolCalls: [] }, { usage: { total_tokens: 3 } as object })).toEqual([
    'usage: cannot check "total_tokens"',
  ])
})

it('reads a sentence in the code of an error as a message, not as its class', () => {
  const failed: LMResponse = { text: '', toolCalls: [], error: { message: 'Timed out' } }
  expect(compareReply(failed, { error: { type: 'The service is unavailable' } })).toEqual([])
  expect(compareReply(failed, { error: { type: 'unavailable' } })).toHaveLength(1)
})

function compareCall(found: RawToolCall, wanted: ExpectedCall): readonly string[] {
  return compareReply({ text: '', toolCalls: [found] }, { tool_calls: [wanted] })
}
