/** A reply with one long call, as each API streams it: the JSON of every event, in order. */

/** Converts the deltas of the call's arguments to events. */
export type WriteEvents = (deltas: readonly string[]) => readonly object[]

/** The APIs that send arguments in pieces. The others send a whole call in one event. */
export const STREAMS: Readonly<Record<string, WriteEvents>> = {
  'openai-chat': (deltas) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'model',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] })
    return [
      chunk({ role: 'assistant', content: null }),
      chunk(call({ id: 'call_1', type: 'function', function: { name: 'write_rows', arguments: '' } })),
      ...deltas.map((text) => chunk(call({ function: { arguments: text } }))),
      chunk({}, 'tool_calls'),
    ]
  },
  'openai-responses': (deltas) => {
    const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'write_rows' }
    const done = { ...item, arguments: deltas.join(''), status: 'completed' }
    const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] as object[] }
    return [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '', status: 'in_progress' } },
      ...deltas.map((delta, index) => ({
        type: 'response.function_call_arguments.delta',
        sequence_number: index + 2,
        item_id: 'fc_1',
        output_index: 0,
        delta,
      })),
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 0, arguments: done.arguments },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [done] } },
    ]
  },
  'anthropic-messages': (deltas) => [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'write_rows', input: {} } },
    ...deltas.map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  'cohere-v2': (deltas) => [
    { type: 'message-start', id: '1', delta: { message: { role: 'assistant', content: [], tool_calls: [] } } },
    {
      type: 'tool-call-start',
      index: 0,
      delta: {
        message: { tool_calls: { id: 'write_rows_1', type: 'function', function: { name: 'write_rows', arguments: '' } } },
      },
    },
    ...deltas.map((text) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: text } } } },
    })),
    { type: 'tool-call-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 9, output_tokens: 9 } } } },
  ],
  'bedrock-converse': (deltas) => [
    { messageStart: { role: 'assistant' } },
    { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name: 'write_rows' } } } },
    ...deltas.map((input) => ({ contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input } } } })),
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 } } },
  ],
}
