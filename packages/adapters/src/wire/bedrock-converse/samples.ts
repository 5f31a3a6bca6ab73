/** Sample replies from Bedrock Converse for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { bedrockConverse } from './wire.ts'

const usage = { inputTokens: 8, cacheReadInputTokens: 8, cacheWriteInputTokens: 4, outputTokens: 10, totalTokens: 30 }
const thought = { reasoningContent: { reasoningText: { text: 'Two things.', signature: 'c2lnbmF0dXJlLW9mLXRob3VnaHQ=' } } }
const tea = { toolUseId: 'tooluse_tea', name: 'look_up', input: { query: 'tea' } }
const milk = { toolUseId: 'tooluse_milk', name: 'look_up', input: { query: 'milk', days: 2 } }
const spelled = { ...tea, input: { query: 'two  words\n', days: 2, after: 0.5 } }
const search = { toolUseId: 'tooluse_search', name: 'web_search', type: 'server_tool_use', input: { query: 'four' } }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text and thinking',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 8, cacheWriteTokens: 4 },
    reasoning: 'Two things.',
    rawFinishReason: 'tool_use',
    kept: [thought.reasoningContent.reasoningText.signature],
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
  {
    name: 'a search that the provider made',
    text: 'It is 4.',
    calls: [],
    providerCalls: [{ type: 'server_tool_use', by: 'provider', id: 'tooluse_search', name: 'web_search' }],
    reply: reply([{ toolUse: search }, { text: 'It is 4.' }], 'end_turn'),
    events: [
      { messageStart: { role: 'assistant' } },
      ...streamedInput(search, 0),
      delta(1, { text: 'It is 4.' }),
      { contentBlockStop: { contentBlockIndex: 1 } },
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage } },
    ],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: spelled.input, json: '{"query":"two  words\\n","days":2,"after":0.5}' }],
    reply: reply([{ toolUse: spelled }], 'tool_use'),
    events: [
      { messageStart: { role: 'assistant' } },
      ...streamedInput(spelled, 0),
      { messageStop: { stopReason: 'tool_use' } },
      { metadata: { usage } },
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
    reply: reply([{ toolUse: tea }, { toolUse: { ...milk, input: {} } }], 'max_tokens'),
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    events: [
      { messageStart: { role: 'assistant' } },
      ...streamedInput(tea, 0),
      ...streamedInput(milk, 1).slice(0, 2),
      { messageStop: { stopReason: 'max_tokens' } },
    ],
  },
  {
    name: 'a reply that is an error',
    kind: 'error',
    text: '',
    calls: [],
    error: { message: 'Too many requests.', code: 'ThrottlingException' },
    reply: { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Too many requests.' },
  },
  {
    name: 'an exception in place of an event',
    kind: 'error',
    text: 'I look.',
    calls: [],
    error: { message: 'Too many requests.', code: 'throttlingException' },
    events: [
      { messageStart: { role: 'assistant' } },
      delta(0, { text: 'I look.' }),
      { throttlingException: { message: 'Too many requests.' } },
    ],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: reply([{ toolUse: tea }, { text: 'I wait.' }], 'tool_use'),
    events: [
      { messageStart: { role: 'assistant' } },
      ...streamedInput(tea, 0),
      delta(1, { text: 'I wait.' }),
      { contentBlockStop: { contentBlockIndex: 1 } },
      { messageStop: { stopReason: 'tool_use' } },
      { metadata: { usage } },
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
            toolResult: {
              toolUseId: 'tooluse_tea',
              content: [{ text: 'The photo.' }, { image: { format: 'png', source: { bytes: 'Y29udHJhY3QtaW1hZ2U=' } } }],
            },
          },
        ],
      },
    ],
    reply: reply([{ toolUse: tea }], 'end_turn'),
    events: [
      { messageStart: { role: 'assistant' } },
      ...streamedInput(tea, 0),
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage } },
    ],
  },
]

export const testWire: TestWire = {
  wire: bedrockConverse,
  model: 'anthropic.claude-sonnet-4-6',
  samples,
  met: [
    // Empty turns aren't sent. With the tool choice `none`, the tools aren't sent, so that the model can't call them. If the history
    // contains calls, the called tools are sent even then.
    ...['/messages/N content dropped', '/toolChoice none dropped', '/tools tools widened'],
    // System messages after the first turn become user text.
    '/messages/N/role system dropped',
  ],
  lacks: ['refusal'],
  documented: {
    callIds: 'letters, digits, `_`, `-`, at most 64',
    strictTools: 'each tool',
    goesBack: 'reasoning with its signatures',
  },
}

function reply(content: readonly object[], stopReason: string): object {
  return { output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: { latencyMs: 1 } }
}

function delta(contentBlockIndex: number, content: object): object {
  return { contentBlockDelta: { contentBlockIndex, delta: content } }
}

function streamedInput({ input, ...toolUse }: { readonly input: object }, contentBlockIndex: number): object[] {
  const text = JSON.stringify(input)
  return [
    { contentBlockStart: { contentBlockIndex, start: { toolUse } } },
    delta(contentBlockIndex, { toolUse: { input: text.slice(0, 5) } }),
    delta(contentBlockIndex, { toolUse: { input: text.slice(5) } }),
    { contentBlockStop: { contentBlockIndex } },
  ]
}
