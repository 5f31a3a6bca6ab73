/** Sample replies from the Responses API for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { openaiResponses } from './wire.ts'

const usage = {
  input_tokens: 20,
  output_tokens: 10,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens_details: { reasoning_tokens: 4 },
}
const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Two things.' }],
  encrypted_content: 'ZW5jcnlwdGVkLXRob3VnaHQ=',
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
}
const refused = { ...message, content: [{ type: 'refusal', refusal: 'I cannot.' }] }
const tea = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_tea',
  name: 'look_up',
  arguments: '{"query":"tea"}',
  status: 'completed',
}
const milk = { ...tea, id: 'fc_2', call_id: 'call_milk', arguments: '{"query":"milk","days":2}' }
/** Arguments with spaces and numbers that a JSON serializer would write differently. */
const SPELLED = '{"query": "two  words",  "days":2.50,"after":1e2}'
const spelled = { ...tea, arguments: SPELLED }
const output = [reasoning, message, tea, milk]
const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'four' } }
const four = { ...message, content: [{ type: 'output_text', text: 'It is 4.', annotations: [] }] }
const cut = { ...milk, arguments: '{"query":"mi', status: 'incomplete' }
const limit = { incomplete_details: { reason: 'max_output_tokens' } }
const incomplete = { status: 'incomplete', ...limit }
const error = { code: 'server_error', message: 'The server had an error.' }
const CREATED = { type: 'response.created', response: { ...response([]), status: 'in_progress' } }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text and thinking',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 8, reasoningTokens: 4 },
    reasoning: 'Two things.',
    rawFinishReason: 'completed',
    kept: ['rs_1', 'ZW5jcnlwdGVkLXRob3VnaHQ=', 'msg_1', 'fc_1', 'fc_2'],
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: response(output),
    events: [
      { type: 'response.created', response: { ...response([]), status: 'in_progress', usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: 0, delta: 'Two things.' },
      { type: 'response.output_item.done', output_index: 0, item: reasoning },
      { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'I ' },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'look.' },
      { type: 'response.output_item.done', output_index: 1, item: message },
      ...[tea, milk].flatMap((item, index) => streamedCall(item, index + 2)),
      { type: 'response.completed', response: response(output) },
    ],
  },
  {
    name: 'a search that the provider made',
    text: 'It is 4.',
    calls: [],
    providerCalls: [{ type: 'web_search_call', by: 'provider', id: 'ws_1' }],
    kept: ['ws_1'],
    reply: response([search, four]),
    events: [
      { type: 'response.output_item.added', output_index: 0, item: { ...search, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: search },
      { type: 'response.output_item.added', output_index: 1, item: { ...four, content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'It is 4.' },
      { type: 'response.output_item.done', output_index: 1, item: four },
      { type: 'response.completed', response: response([search, four]) },
    ],
  },
  {
    name: 'a refusal',
    text: '',
    refusal: 'I cannot.',
    calls: [],
    reply: response([refused]),
    events: [
      CREATED,
      { type: 'response.output_item.added', output_index: 0, item: { ...refused, status: 'in_progress', content: [] } },
      { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I ' },
      { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'cannot.' },
      { type: 'response.refusal.done', item_id: 'msg_1', output_index: 0, content_index: 0, refusal: 'I cannot.' },
      { type: 'response.output_item.done', output_index: 0, item: refused },
      { type: 'response.completed', response: response([refused]) },
    ],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    reply: { ...response([tea, cut]), ...incomplete },
    events: [
      CREATED,
      ...streamedCall(tea, 0),
      ...streamedCall(cut, 1).slice(0, 3),
      { type: 'response.incomplete', response: { ...response([tea, cut]), ...incomplete } },
    ],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: JSON.parse(SPELLED), json: SPELLED }],
    reply: response([spelled]),
    events: [CREATED, ...streamedCall(spelled, 0), { type: 'response.completed', response: response([spelled]) }],
  },
  {
    name: 'a reply that failed',
    kind: 'error',
    text: '',
    calls: [],
    error,
    reply: { ...response([]), status: 'failed', error },
    events: [
      CREATED,
      { type: 'error', ...error, param: null },
      { type: 'response.failed', response: { ...response([]), status: 'failed', error: null, ...limit } },
    ],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I look.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: response([tea, message]),
    events: [
      CREATED,
      ...streamedCall(tea, 0),
      { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'I look.' },
      { type: 'response.output_item.done', output_index: 1, item: message },
      { type: 'response.completed', response: response([tea, message]) },
    ],
  },
  {
    name: 'a call in a complete reply',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      {
        type: 'function_call_output',
        call_id: 'call_tea',
        output: [
          { type: 'input_text', text: 'The photo.' },
          { type: 'input_image', image_url: 'data:image/png;base64,Y29udHJhY3QtaW1hZ2U=', detail: 'auto' },
        ],
      },
    ],
    reply: response([tea]),
    events: [CREATED, ...streamedCall(tea, 0), { type: 'response.completed', response: response([tea]) }],
  },
  {
    name: 'a call from a relay that changes its id in each event',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    events: [
      CREATED,
      ...streamedCall(tea, 0).map(withOwnIds),
      { type: 'response.completed', response: response([{ ...tea, id: 'fc_end', call_id: 'call_end' }]) },
    ],
  },
]

export const testWire: TestWire = {
  wire: openaiResponses,
  model: 'gpt-5.4',
  samples,
  documented: {
    callIds: 'at most 64 characters',
    strictTools: 'each tool',
    goesBack: 'reasoning items with their encrypted content, calls of hosted tools',
  },
}

function response(items: readonly object[]) {
  return { id: 'resp_1', object: 'response', status: 'completed', model: 'x', output: items, usage }
}

function withOwnIds(event: object, number: number): object {
  const { item } = event as { item?: typeof tea }
  const ids = { id: `fc_own_${number}`, call_id: `call_own_${number}` }
  return { ...event, ...(item ? { item: { ...item, ...ids } } : { item_id: ids.id }) }
}

function streamedCall(item: typeof tea, output_index: number): object[] {
  const delta = (text: string) => ({
    type: 'response.function_call_arguments.delta',
    item_id: item.id,
    output_index,
    delta: text,
  })
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
    delta(item.arguments.slice(0, 5)),
    delta(item.arguments.slice(5)),
    { type: 'response.function_call_arguments.done', item_id: item.id, output_index, arguments: item.arguments },
    { type: 'response.output_item.done', output_index, item },
  ]
}
