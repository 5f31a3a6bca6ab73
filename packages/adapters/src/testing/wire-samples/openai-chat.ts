/** Small replies of Chat Completions for the contract. */
import type { WireSample } from '../wire-check.ts'

const usage = { prompt_tokens: 20, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 8 } }
const tea = { id: 'call_tea', type: 'function', function: { name: 'look_up', arguments: '{"query":"tea"}' } }
const milk = { id: 'call_milk', type: 'function', function: { name: 'look_up', arguments: '{"query":"milk","days":2}' } }

export const OPENAI_CHAT_SAMPLES: readonly WireSample[] = [
  {
    name: 'two calls behind a text',
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
]

function chunk(delta: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason }] }
}
