/** Small replies of Mistral for the contract. */
import type { WireSample } from '../wire-check.ts'

const usage = { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26 }
const tea = { id: 'TeaTeaTea', function: { name: 'look_up', arguments: '{"query": "tea"}' } }
const milk = { id: 'MilkMilk1', function: { name: 'look_up', arguments: '{"query": "milk", "days": 2}' } }

export const MISTRAL_SAMPLES: readonly WireSample[] = [
  {
    name: 'two calls',
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
]

function chunk(delta: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason }] }
}
