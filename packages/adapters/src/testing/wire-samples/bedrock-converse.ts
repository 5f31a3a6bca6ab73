/** Small replies of Bedrock Converse for the contract. */
import type { WireSample } from '../wire-check.ts'

const usage = { inputTokens: 8, cacheReadInputTokens: 8, cacheWriteInputTokens: 4, outputTokens: 10, totalTokens: 30 }
const thought = { reasoningContent: { reasoningText: { text: 'Two things.', signature: 'c2lnbmF0dXJlLW9mLXRob3VnaHQ=' } } }
const tea = { toolUseId: 'tooluse_tea', name: 'look_up', input: { query: 'tea' } }
const milk = { toolUseId: 'tooluse_milk', name: 'look_up', input: { query: 'milk', days: 2 } }

export const BEDROCK_SAMPLES: readonly WireSample[] = [
  {
    name: 'two calls behind a text and a thought',
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: reply([thought, { text: 'I look.' }, { toolUse: tea }, { toolUse: milk }], 'tool_use'),
    events: [
      { messageStart: { role: 'assistant' } },
      delta(0, { reasoningContent: { text: 'Two things.' } }),
      delta(0, { reasoningContent: { signature: thought.reasoningContent.reasoningText.signature } }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      delta(1, { text: 'I ' }),
      delta(1, { text: 'look.' }),
      { contentBlockStop: { contentBlockIndex: 1 } },
      ...streamedInput(tea, 2),
      ...streamedInput(milk, 3),
      { messageStop: { stopReason: 'tool_use' } },
      { metadata: { usage, metrics: { latencyMs: 1 } } },
    ],
  },
  {
    name: 'a text',
    text: 'It is 4.',
    calls: [],
    reply: reply([{ text: 'It is 4.' }], 'end_turn'),
    events: [
      { messageStart: { role: 'assistant' } },
      delta(0, { text: 'It is 4.' }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage, metrics: { latencyMs: 1 } } },
    ],
  },
]

function reply(content: readonly object[], stopReason: string): object {
  return { output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: { latencyMs: 1 } }
}

function delta(contentBlockIndex: number, content: object): object {
  return { contentBlockDelta: { contentBlockIndex, delta: content } }
}

function streamedInput({ input, ...toolUse }: typeof tea | typeof milk, contentBlockIndex: number): object[] {
  const text = JSON.stringify(input)
  return [
    { contentBlockStart: { contentBlockIndex, start: { toolUse } } },
    delta(contentBlockIndex, { toolUse: { input: text.slice(0, 5) } }),
    delta(contentBlockIndex, { toolUse: { input: text.slice(5) } }),
    { contentBlockStop: { contentBlockIndex } },
  ]
}
