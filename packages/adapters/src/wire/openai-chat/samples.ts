/** Sample replies from Chat Completions for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { openaiChat } from './wire.ts'

const usage = { prompt_tokens: 20, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 8 } }
const tea = { id: 'call_tea', type: 'function', function: { name: 'look_up', arguments: '{"query":"tea"}' } }
const milk = { id: 'call_milk', type: 'function', function: { name: 'look_up', arguments: '{"query":"milk","days":2}' } }
const cut = { ...milk, function: { name: 'look_up', arguments: '{"query":"mi' } }
/** Arguments with spaces and numbers that a JSON serializer would write differently. */
const SPELLED = '{"query": "two  words",  "days":2.50,"after":1e2}'
const spelled = { ...tea, function: { name: 'look_up', arguments: SPELLED } }
const search = { index: 0, type: 'search', arguments: '{"query":"four"}', output: 'Four.' }
const error = { message: 'The server had an error.', code: 'server_error' }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 },
    rawFinishReason: 'tool_calls',
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: {
      choices: [{ message: { role: 'assistant', content: 'I look.', tool_calls: [tea, milk] }, finish_reason: 'tool_calls' }],
      usage,
    },
    events: [
      chunk({ role: 'assistant', content: 'I ' }),
      chunk({ content: 'look.' }),
      ...[tea, milk].flatMap((call, index) => [
        chunk({ tool_calls: [{ ...call, index, function: { ...call.function, arguments: '' } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments.slice(0, 5) } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments.slice(5) } }] }),
      ]),
      chunk({}, 'tool_calls'),
      { choices: [], usage },
    ],
  },
  {
    name: 'a text',
    text: 'It is 4.',
    calls: [],
    reply: { choices: [{ message: { role: 'assistant', content: 'It is 4.' }, finish_reason: 'stop' }], usage },
    events: [chunk({ content: 'It is' }), chunk({ content: ' 4.' }), chunk({}, 'stop'), { choices: [], usage }],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    reply: whole({ content: null, tool_calls: [tea, cut] }, 'length'),
    events: [chunk({ tool_calls: [{ ...tea, index: 0 }] }), chunk({ tool_calls: [{ ...cut, index: 1 }] }), chunk({}, 'length')],
  },
  {
    name: 'a call that a filter truncated where its text may be complete',
    kind: 'cut',
    text: '',
    calls: [{ name: 'look_up', truncated: true }],
    finishReason: 'content-filter',
    reply: whole({ content: null, tool_calls: [tea] }, 'content_filter'),
    events: [chunk({ tool_calls: [{ ...tea, index: 0 }] }), chunk({}, 'content_filter')],
  },
  {
    name: 'a call after thinking, with unusually formatted arguments',
    text: '',
    reasoning: 'Two things.',
    calls: [{ name: 'look_up', args: JSON.parse(SPELLED), json: SPELLED }],
    reply: whole({ content: null, reasoning_content: 'Two things.', tool_calls: [spelled] }, 'tool_calls'),
    events: [
      chunk({ reasoning_content: 'Two ' }),
      chunk({ reasoning_content: 'things.' }),
      chunk({ tool_calls: [{ ...spelled, index: 0, function: { name: 'look_up', arguments: SPELLED.slice(0, 9) } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: SPELLED.slice(9) } }] }),
      chunk({}, 'tool_calls'),
    ],
  },
  {
    name: 'a search that the host made',
    text: 'It is 4.',
    calls: [],
    providerCalls: [{ type: 'search', by: 'provider' }],
    reply: whole({ content: 'It is 4.', executed_tools: [search] }, 'stop'),
    events: [chunk({ executed_tools: [search] }), chunk({ content: 'It is 4.' }), chunk({}, 'stop')],
  },
  {
    name: 'a refusal',
    text: '',
    refusal: 'I cannot.',
    calls: [],
    reply: whole({ content: null, refusal: 'I cannot.' }, 'stop'),
    events: [chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop')],
  },
  {
    name: 'a reply of status 200 that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error,
    reply: { error },
  },
  {
    name: 'an error after the start of a call',
    kind: 'error',
    text: 'I look.',
    calls: [{ name: 'look_up', truncated: true }],
    error,
    events: [chunk({ content: 'I look.' }), chunk({ tool_calls: [{ ...cut, index: 0 }] }), { error }],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: whole({ content: 'I wait.', tool_calls: [tea] }, 'tool_calls'),
    events: [chunk({ tool_calls: [{ ...tea, index: 0 }] }), chunk({ content: 'I ' }), chunk({ content: 'wait.' }, 'tool_calls')],
  },
  {
    name: 'a forced call',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      { role: 'tool', tool_call_id: 'call_tea', content: 'The photo.\n[image/png]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'In the result of "look_up" (call call_tea):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,Y29udHJhY3QtaW1hZ2U=' } },
        ],
      },
    ],
    reply: whole({ content: null, tool_calls: [tea] }, 'stop'),
    events: [chunk({ tool_calls: [{ ...tea, index: 0 }] }), chunk({}, 'stop')],
  },
]

export const testWire: TestWire = {
  wire: openaiChat,
  model: 'gpt-5.4',
  samples,
  // The host determines which parts of a reply must be sent back.
  lacks: ['metadata'],
  documented: { callIds: 'any', strictTools: 'each tool', goesBack: 'reasoning, for the hosts that need it back' },
}

function whole(message: object, finish_reason: string): object {
  return { choices: [{ message: { role: 'assistant', ...message }, finish_reason }] }
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason }] }
}
