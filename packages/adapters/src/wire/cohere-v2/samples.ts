/** Sample replies from Cohere for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { cohereV2 } from './wire.ts'

const tokens = { input_tokens: 20, output_tokens: 6 }
const usage = { billed_units: { input_tokens: 9, output_tokens: 3 }, tokens, cached_tokens: 8 }
const tea = { id: 'look_up_tea0', type: 'function', function: { name: 'look_up', arguments: '{"query":"tea"}' } }
const milk = { id: 'look_up_milk', type: 'function', function: { name: 'look_up', arguments: '{"query":"milk","days":2}' } }
const cut = { ...milk, function: { name: 'look_up', arguments: '{"query":"mi' } }
/** Arguments with spaces and numbers that a JSON serializer would write differently. */
const SPELLED = '{"query": "two  words",  "days":2.50,"after":1e2}'
const spelled = { ...tea, function: { name: 'look_up', arguments: SPELLED } }
const START = { type: 'message-start', id: 'r', delta: { message: { role: 'assistant', content: [] } } }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after a plan',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 },
    reasoning: 'I need two things.',
    rawFinishReason: 'TOOL_CALL',
    kept: ['I need two things.'],
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: {
      id: 'r1',
      message: { role: 'assistant', tool_plan: 'I need two things.', tool_calls: [tea, milk] },
      finish_reason: 'TOOL_CALL',
      usage,
    },
    events: [
      {
        type: 'message-start',
        id: 'r1',
        delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
      },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I need ' } } },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'two things.' } } },
      ...[tea, milk].flatMap(streamedCall),
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
    ],
  },
  {
    name: 'a text',
    text: 'It is 4.',
    calls: [],
    reply: {
      id: 'r2',
      message: { role: 'assistant', content: [{ type: 'text', text: 'It is 4.' }] },
      finish_reason: 'COMPLETE',
      usage,
    },
    events: [
      { type: 'message-start', id: 'r2', delta: { message: { role: 'assistant', content: [] } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'It is' } } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: ' 4.' } } } },
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } },
    ],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: JSON.parse(SPELLED), json: SPELLED }],
    reply: whole({ tool_calls: [spelled] }, 'TOOL_CALL'),
    events: [START, ...streamedCall(spelled, 0), end('TOOL_CALL')],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    reply: whole({ tool_calls: [tea, cut] }, 'MAX_TOKENS'),
    events: [START, ...streamedCall(tea, 0), ...streamedCall(cut, 1).slice(0, 3), end('MAX_TOKENS')],
  },
  {
    name: 'a reply that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error: { message: 'The model failed.' },
    reply: { id: 'r3', message: 'The model failed.' },
    events: [START, { type: 'message-end', delta: { error: 'The model failed.', finish_reason: 'ERROR' } }],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: whole({ content: [{ type: 'text', text: 'I wait.' }], tool_calls: [tea] }, 'TOOL_CALL'),
    events: [
      START,
      ...streamedCall(tea, 0),
      { type: 'content-start', index: 1, delta: { message: { content: { type: 'text', text: '' } } } },
      { type: 'content-delta', index: 1, delta: { message: { content: { text: 'I wait.' } } } },
      { type: 'content-end', index: 1 },
      end('TOOL_CALL'),
    ],
  },
  {
    name: 'a call in a complete turn',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      { role: 'tool', tool_call_id: 'look_up_tea0', content: 'The photo.\n[image/png]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'In the result of "look_up" (call look_up_tea0):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,Y29udHJhY3QtaW1hZ2U=' } },
        ],
      },
    ],
    reply: whole({ tool_calls: [tea] }, 'COMPLETE'),
    events: [START, ...streamedCall(tea, 0), end('COMPLETE')],
  },
]

export const testWire: TestWire = {
  wire: cohereV2,
  model: 'command-a-plus-05-2026',
  samples,
  lacks: ['refusal', 'provider_calls', 'error_code'],
  documented: { callIds: 'any', strictTools: 'not requested', goesBack: 'the plan with calls, thinking' },
}

function whole(message: object, finish_reason: string): object {
  return { id: 'r', message: { role: 'assistant', ...message }, finish_reason }
}

function end(finish_reason: string): object {
  return { type: 'message-end', delta: { finish_reason } }
}

function streamedCall(call: typeof tea, index: number): object[] {
  const text = call.function.arguments
  const delta = (piece: string) => ({
    type: 'tool-call-delta',
    index,
    delta: { message: { tool_calls: { function: { arguments: piece } } } },
  })
  return [
    {
      type: 'tool-call-start',
      index,
      delta: { message: { tool_calls: { ...call, function: { ...call.function, arguments: '' } } } },
    },
    delta(text.slice(0, 5)),
    delta(text.slice(5)),
    { type: 'tool-call-end', index },
  ]
}
