/** Small replies of Cohere for the contract. */
import type { WireSample } from '../wire-check.ts'

const usage = { billed_units: { input_tokens: 9, output_tokens: 3 }, tokens: { input_tokens: 20, output_tokens: 6 } }
const tea = { id: 'look_up_tea0', type: 'function', function: { name: 'look_up', arguments: '{"query":"tea"}' } }
const milk = { id: 'look_up_milk', type: 'function', function: { name: 'look_up', arguments: '{"query":"milk","days":2}' } }

export const COHERE_SAMPLES: readonly WireSample[] = [
  {
    name: 'two calls behind a plan',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: {
      id: 'r1',
      message: { role: 'assistant', tool_plan: 'I look for two things.', tool_calls: [tea, milk] },
      finish_reason: 'TOOL_CALL',
      usage,
    },
    events: [
      {
        type: 'message-start',
        id: 'r1',
        delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
      },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I look for ' } } },
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
]

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
