/** Sample replies from Anthropic Messages for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { anthropicMessages } from './wire.ts'

const usage = { input_tokens: 8, cache_read_input_tokens: 8, cache_creation_input_tokens: 4, output_tokens: 10 }
const thinking = { type: 'thinking', thinking: 'Two things.', signature: 'c2lnbmF0dXJlLW9mLXRob3VnaHQ=' }
const tea = { type: 'tool_use', id: 'toolu_tea', name: 'look_up', input: { query: 'tea' } }
const milk = { type: 'tool_use', id: 'toolu_milk', name: 'look_up', input: { query: 'milk', days: 2 } }
const spelled = { ...tea, input: { query: 'two  words\n', days: 2, after: 0.5 } }
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'four' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', title: 'Four', url: 'https://four.example', encrypted_content: 'ZW5jcnlwdGVkLXBhZ2U=' }],
}
const refused = { type: 'refusal', category: 'bio', explanation: 'I cannot.' }
const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text and thinking',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 8, cacheWriteTokens: 4 },
    reasoning: 'Two things.',
    rawFinishReason: 'tool_use',
    kept: [thinking.signature],
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: reply([thinking, { type: 'text', text: 'I look.' }, tea, milk], 'tool_use'),
    events: [
      start(),
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Two things.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: thinking.signature } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I ' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'look.' } },
      { type: 'content_block_stop', index: 1 },
      ...streamedInput(tea, 2),
      ...streamedInput(milk, 3),
      ...end('tool_use'),
    ],
  },
  {
    name: 'a search that the provider made',
    text: 'It is 4.',
    calls: [],
    providerCalls: [{ type: 'server_tool_use', by: 'provider', id: 'srvtoolu_1', name: 'web_search' }],
    kept: ['srvtoolu_1', 'ZW5jcnlwdGVkLXBhZ2U='],
    reply: reply([search, found, { type: 'text', text: 'It is 4.' }], 'end_turn'),
    events: [
      start(),
      ...streamedInput(search, 0),
      { type: 'content_block_start', index: 1, content_block: found },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'It is 4.' } },
      { type: 'content_block_stop', index: 2 },
      ...end('end_turn'),
    ],
  },
  {
    name: 'a call whose input was lost at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    reply: reply([tea, { ...milk, input: {} }], 'max_tokens'),
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    events: [start(), ...streamedInput(tea, 0), ...streamedInput(milk, 1).slice(0, 3), ...end('max_tokens')],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: spelled.input, json: '{"query":"two  words\\n","days":2,"after":0.5}' }],
    reply: reply([spelled], 'tool_use'),
    events: [start(), ...streamedInput(spelled, 0), ...end('tool_use')],
  },
  {
    name: 'a reply that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error: { message: 'Overloaded', code: 'overloaded_error' },
    reply: error,
    events: [start(), { type: 'ping' }, error],
  },
  {
    name: 'a refusal',
    text: '',
    refusal: 'I cannot.',
    calls: [],
    finishReason: 'content-filter',
    reply: { ...reply([], 'refusal'), stop_details: refused },
    events: [start(), ...end('refusal', { stop_details: refused })],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: reply([tea, { type: 'text', text: 'I wait.' }], 'tool_use'),
    events: [
      start(),
      ...streamedInput(tea, 0),
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I wait.' } },
      { type: 'content_block_stop', index: 1 },
      ...end('tool_use'),
    ],
  },
  {
    name: 'a call with the finish reason of a text reply',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_tea',
            content: [
              { type: 'text', text: 'The photo.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'Y29udHJhY3QtaW1hZ2U=' } },
            ],
          },
        ],
      },
    ],
    reply: reply([tea], 'end_turn'),
    events: [start(), ...streamedInput(tea, 0), ...end('end_turn')],
  },
]

export const testWire: TestWire = {
  wire: anthropicMessages,
  model: 'claude-sonnet-4-6',
  samples,
  met: ['/messages/N content dropped', '/messages/N/role system dropped'],
  documented: {
    callIds: 'letters, digits, `_`, `-`, at most 64',
    strictTools: 'each tool',
    goesBack: "thinking with its signatures, calls to the provider's tools",
  },
}

function reply(content: readonly object[], stop_reason: string): object {
  return { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason, usage }
}

function start(): object {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return { type: 'message_start', message }
}

function streamedInput(block: typeof tea | typeof search | typeof milk, index: number): object[] {
  const text = JSON.stringify(block.input)
  const delta = (partial_json: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  })
  return [
    { type: 'content_block_start', index, content_block: { ...block, input: {} } },
    delta(''),
    delta(text.slice(0, 5)),
    delta(text.slice(5)),
    { type: 'content_block_stop', index },
  ]
}

function end(stop_reason: string, more: object = {}): object[] {
  return [{ type: 'message_delta', delta: { stop_reason, ...more }, usage: { output_tokens: 10 } }, { type: 'message_stop' }]
}
