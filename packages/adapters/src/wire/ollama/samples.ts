/** Sample replies from Ollama for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { ollama } from './wire.ts'

const usage = { prompt_eval_count: 20, eval_count: 6 }
const tea = { function: { name: 'look_up', arguments: { query: 'tea' } } }
const milk = { function: { name: 'look_up', arguments: { query: 'milk', days: 2 } } }
const spelled = { function: { name: 'look_up', arguments: { query: 'two  words\n', days: 2, after: 0.5 } } }
const error = { message: 'The model ran out of memory.' }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text and thinking',
    usage: { inputTokens: 20, outputTokens: 6 },
    reasoning: 'Two things.',
    rawFinishReason: 'stop',
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: line({ content: 'I look.', thinking: 'Two things.', tool_calls: [tea, milk] }, 'stop'),
    events: [
      line({ content: '', thinking: 'Two things.' }),
      line({ content: 'I ' }),
      line({ content: 'look.' }),
      line({ content: '', tool_calls: [tea] }),
      line({ content: '', tool_calls: [milk] }),
      line({ content: '' }, 'stop'),
    ],
  },
  {
    name: 'a text',
    text: 'It is 4.',
    calls: [],
    reply: line({ content: 'It is 4.' }, 'stop'),
    events: [line({ content: 'It is' }), line({ content: ' 4.' }), line({ content: '' }, 'stop')],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: spelled.function.arguments, json: '{"query":"two  words\\n","days":2,"after":0.5}' }],
    reply: line({ content: '', tool_calls: [spelled] }, 'stop'),
    events: [line({ content: '', tool_calls: [spelled] }), line({ content: '' }, 'stop')],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [{ name: 'look_up', truncated: true }],
    reply: line({ content: '', tool_calls: [tea] }, 'length'),
    events: [line({ content: '', tool_calls: [tea] }), line({ content: '' }, 'length')],
  },
  {
    name: 'a line that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error,
    reply: { error: error.message },
    events: [line({ content: '' }), { error: error.message }],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: line({ content: 'I wait.', tool_calls: [tea] }, 'stop'),
    events: [line({ content: '', tool_calls: [tea] }), line({ content: 'I wait.' }), line({ content: '' }, 'stop')],
  },
  {
    name: 'a call without a finish reason',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [{ role: 'tool', tool_name: 'look_up', content: 'The photo.', images: ['Y29udHJhY3QtaW1hZ2U='] }],
    reply: line({ content: '', tool_calls: [tea] }, 'stop'),
    events: [line({ content: '', tool_calls: [tea] }), line({ content: '' }, 'stop')],
  },
]

export const testWire: TestWire = {
  wire: ollama,
  model: 'llama3.2',
  samples,
  met: ['/toolChoice none dropped'],
  pairsBy: 'order',
  lacks: ['cached_tokens', 'refusal', 'metadata', 'provider_calls', 'error_code'],
  documented: { callIds: 'none', strictTools: 'no', goesBack: 'reasoning' },
}

function line(message: object, done_reason?: string): object {
  const base = { model: 'x', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', ...message } }
  return done_reason === undefined ? { ...base, done: false } : { ...base, done: true, done_reason, ...usage }
}
