/** Tests that a second finish reason, which some relays add, doesn't make a truncated reply complete. */
import { expect, it } from 'vitest'
import { readEvents } from '../testing/read-events.ts'
import { bedrockConverse, cohereV2, gemini, mistral, ollama, openaiChat } from './index.ts'
import type { WireFormat } from './wire-format.ts'

const args = '{"query":"tea"}'
const fragment = { index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: args } }
const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const candidate = (parts: readonly object[], finishReason: string) => ({
  candidates: [{ content: { parts }, finishReason, index: 0 }],
})
const cohereCall = { id: 'a', type: 'function', function: { name: 'look_up', arguments: args } }
const line = (message: object, done_reason: string) => ({ message, done: true, done_reason })

const replies: readonly (readonly [WireFormat, readonly object[]])[] = [
  [openaiChat, [choice({ tool_calls: [fragment] }), choice({}, 'length'), choice({}, 'stop')]],
  [openaiChat, [choice({ tool_calls: [fragment] }), choice({}, 'content_filter'), choice({}, 'tool_calls')]],
  [mistral, [choice({ tool_calls: [fragment] }), choice({}, 'model_length'), choice({}, 'stop')]],
  [
    gemini,
    [candidate([{ functionCall: { name: 'look_up', args: { query: 'tea' } } }], 'MAX_TOKENS'), candidate([{ text: '' }], 'STOP')],
  ],
  [
    cohereV2,
    [
      { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: cohereCall } } },
      { type: 'message-end', delta: { finish_reason: 'MAX_TOKENS' } },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ],
  ],
  [
    bedrockConverse,
    [
      { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'a', name: 'look_up' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: args } } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'max_tokens' } },
      { messageStop: { stopReason: 'end_turn' } },
    ],
  ],
  [
    ollama,
    [
      line({ content: '', tool_calls: [{ function: { name: 'look_up', arguments: { query: 'tea' } } }] }, 'length'),
      line({ content: '' }, 'stop'),
    ],
  ],
]

it.each(replies.map(([wire, events]) => [wire.name, wire, events] as const))(
  '%s keeps the first reason (%#)',
  (_, wire, events) => {
    const { toolCalls, finishReason } = readEvents(wire, events)
    expect(toolCalls).toMatchObject([{ name: 'look_up', truncated: true }])
    expect(finishReason).toMatch(/^(?:length|content-filter)$/)
  },
)
