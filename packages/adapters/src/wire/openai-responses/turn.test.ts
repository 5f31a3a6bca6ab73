/** Tests replies that are sent back: their original items with the current text and calls of the message. */
import { describe, expect, it } from 'vitest'
import type { LMRequest, Message } from '../../index.ts'
import type { Loss } from '../../shaping/loss.ts'
import { openaiResponses } from './wire.ts'

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' }
const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  phase: 'commentary',
  content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
}
const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'look', arguments: '{}', namespace: 'n' }

function turnOf(...output: object[]): Message & { role: 'assistant' } {
  const { text: content, toolCalls, metadata } = openaiResponses.decode({ status: 'completed', output })
  return { role: 'assistant', content, toolCalls, metadata }
}
function send(turn: Message, request: Partial<LMRequest> = {}) {
  const losses: Loss[] = []
  const { input } = openaiResponses.encode({ messages: [turn], ...request }, 'm', { onLoss: (loss) => losses.push(loss) })
  return { input, losses }
}

describe('a reply that is sent back', () => {
  it('contains the same items in the same order', () => {
    const items = [reasoning, search, message, call]
    expect(send(turnOf(...items))).toEqual({ input: items, losses: [] })
  })

  it('keeps a refusal', () => {
    const refused = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(send(turnOf(reasoning, refused)).input).toEqual([reasoning, refused])
  })

  it('contains the edited text and calls, each in its original position', () => {
    const turn = {
      ...turnOf(reasoning, message, call),
      content: 'Changed.',
      toolCalls: [{ id: 'a', name: 'look', arguments: '{"q":1}' }],
    }
    expect(send(turn).input).toEqual([
      reasoning,
      { type: 'message', role: 'assistant', content: 'Changed.' },
      { ...call, arguments: '{"q":1}' },
    ])
  })

  it('omits removed calls, and contains added ones', () => {
    const toolCalls = [{ id: 'b', name: 'look', arguments: '{}' }]
    expect(send({ ...turnOf(reasoning, message, call), toolCalls }).input).toEqual([
      reasoning,
      message,
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
    ])
  })

  it('omits reasoning if nothing follows it', () => {
    expect(send(turnOf(reasoning)).input).toEqual([{ role: 'assistant', content: '' }])
  })

  it('omits reasoning that has only an id, and the ids that refer to it', () => {
    const { encrypted_content, ...unreadable } = reasoning
    const { id, ...bare } = call
    expect(send(turnOf(unreadable, call))).toEqual({
      input: [bare],
      losses: [
        {
          path: '/messages/0/reasoning',
          keyword: 'reasoning',
          action: 'dropped',
          note: 'the reasoning has no encrypted content',
        },
      ],
    })
    const stored = { providerOptions: { store: true } }
    expect(send(turnOf(unreadable, call), stored)).toEqual({ input: [unreadable, call], losses: [] })
  })

  it('keeps reasoning that the model shows in full', () => {
    const shown = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    expect(send(turnOf(shown, call)).input).toEqual([shown, call])
  })

  it('omits calls that the client had to execute, unless their output is present', () => {
    const shell = { type: 'shell_call', id: 'sh_1', call_id: 's', action: { commands: ['ls'] } }
    const output = { type: 'shell_call_output', id: 'sho_1', call_id: 's', output: [] }
    expect(send(turnOf(shell, output, message)).input).toEqual([shell, output, message])
    expect(send(turnOf(shell, message))).toMatchObject({
      input: [message],
      losses: [{ keyword: 'shell_call', action: 'dropped' }],
    })
  })

  it('contains only text and calls if it comes from another provider', () => {
    const metadata = { 'openai-chat': { items: [reasoning] }, 'openai-responses': { items: 'x' } }
    expect(send({ role: 'assistant', content: 'Hi', metadata }).input).toEqual([
      { type: 'message', role: 'assistant', content: 'Hi' },
    ])
  })
})
