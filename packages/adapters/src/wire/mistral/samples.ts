/** Sample replies from Mistral for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { mistral } from './wire.ts'

const usage = { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26, num_cached_tokens: 8 }
const tea = { id: 'TeaTeaTea', function: { name: 'look_up', arguments: '{"query": "tea"}' } }
const milk = { id: 'MilkMilk1', function: { name: 'look_up', arguments: '{"query": "milk", "days": 2}' } }
const cut = { ...milk, function: { name: 'look_up', arguments: '{"query": "mi' } }
/** Arguments with spaces and numbers that a JSON serializer would write differently. */
const SPELLED = '{"query": "two  words",  "days":2.50,"after":1e2}'
const spelled = { ...tea, function: { name: 'look_up', arguments: SPELLED } }
const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Two things.' }] }
const source = { type: 'reference', reference_ids: ['doc_1'] }
const error = { object: 'error', message: 'Service unavailable.', type: 'internal_server_error', code: '1000' }

const samples: readonly WireSample[] = [
  {
    name: 'two calls',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 },
    rawFinishReason: 'tool_calls',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: {
      choices: [{ index: 0, message: { role: 'assistant', content: '', tool_calls: [tea, milk] }, finish_reason: 'tool_calls' }],
      usage,
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      {
        ...chunk(
          {
            content: '',
            tool_calls: [
              { ...tea, index: 0 },
              { ...milk, index: 1 },
            ],
          },
          'tool_calls',
        ),
        usage,
      },
    ],
  },
  {
    name: 'a text',
    text: 'It is 4.',
    calls: [],
    reply: { choices: [{ index: 0, message: { role: 'assistant', content: 'It is 4.' }, finish_reason: 'stop' }], usage },
    events: [chunk({ content: 'It is' }), { ...chunk({ content: ' 4.' }, 'stop'), usage }],
  },
  {
    name: 'a call after thinking, with unusually formatted arguments',
    text: 'I look.',
    reasoning: 'Two things.',
    kept: ['Two things.', 'doc_1'],
    calls: [{ name: 'look_up', args: JSON.parse(SPELLED), json: SPELLED }],
    reply: whole({ content: [thought, { type: 'text', text: 'I look.' }, source], tool_calls: [spelled] }, 'tool_calls'),
    events: [
      chunk({ content: [thought] }),
      chunk({ content: [{ type: 'text', text: 'I look.' }, source] }),
      chunk({ content: '', tool_calls: [{ ...spelled, index: 0 }] }, 'tool_calls'),
    ],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [{ name: 'look_up', truncated: true }],
    reply: whole({ content: '', tool_calls: [cut] }, 'length'),
    events: [chunk({ content: '', tool_calls: [{ ...cut, index: 0 }] }, 'length')],
  },
  {
    name: 'a reply that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error: { message: 'Service unavailable.', code: '1000' },
    reply: error,
    events: [chunk({ role: 'assistant', content: '' }), error],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: whole({ content: 'I wait.', tool_calls: [tea] }, 'tool_calls'),
    events: [chunk({ content: '', tool_calls: [{ ...tea, index: 0 }] }), chunk({ content: 'I wait.' }, 'tool_calls')],
  },
  {
    name: 'a forced call',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      { role: 'tool', tool_call_id: 'TeaTeaTea', name: 'look_up', content: 'The photo.\n[image/png]' },
      { role: 'assistant', content: 'OK' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'In the result of "look_up" (call TeaTeaTea):' },
          { type: 'image_url', image_url: 'data:image/png;base64,Y29udHJhY3QtaW1hZ2U=' },
        ],
      },
    ],
    reply: whole({ content: '', tool_calls: [tea] }, 'stop'),
    events: [chunk({ content: '', tool_calls: [{ ...tea, index: 0 }] }, 'stop')],
  },
]

export const testWire: TestWire = {
  wire: mistral,
  model: 'mistral-large-latest',
  samples,
  // The schema is sent but not enforced.
  met: ['/responseFormat/schema strict refused'],
  lacks: ['refusal', 'provider_calls'],
  documented: {
    callIds: 'nine letters and digits',
    strictTools: 'not requested',
    goesBack: 'thinking and references, in their positions',
  },
}

function whole(message: object, finish_reason: string): object {
  return { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }] }
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason }] }
}
