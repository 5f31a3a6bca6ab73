/** Replies that go back: items as they came, and what the message says now. */
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

describe('a reply that goes back', () => {
  it('is the same items in the same order', () => {
    const items = [reasoning, search, message, call]
    expect(send(turnOf(...items))).toEqual({ input: items, losses: [] })
  })

  it('keeps a refusal', () => {
    const refused = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(send(turnOf(reasoning, refused)).input).toEqual([reasoning, refused])
  })

  it('says what the message says now, each in its place', () => {
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

  it('has no call that was taken out, and every call that was put in', () => {
    const toolCalls = [{ id: 'b', name: 'look', arguments: '{}' }]
    expect(send({ ...turnOf(reasoning, message, call), toolCalls }).input).toEqual([
      reasoning,
      message,
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
    ])
  })

  it('has no reasoning that nothing follows', () => {
    expect(send(turnOf(reasoning)).input).toEqual([{ role: 'assistant', content: '' }])
  })

  it('leaves out reasoning that only an id is left of, with the ids that ask for it', () => {
    const { encrypted_content, ...unreadable } = reasoning
    const { id, ...bare } = call
    expect(send(turnOf(unreadable, call))).toEqual({
      input: [bare],
      losses: [{ path: '/messages/0/reasoning', keyword: 'reasoning', action: 'dropped', note: 'it has no encrypted content' }],
    })
    const stored = { providerOptions: { store: true } }
    expect(send(turnOf(unreadable, call), stored)).toEqual({ input: [unreadable, call], losses: [] })
  })

  it('keeps reasoning that a model shows itself', () => {
    const shown = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    expect(send(turnOf(shown, call)).input).toEqual([shown, call])
  })

  it('leaves out what the client was asked to run, unless its output is there', () => {
    const shell = { type: 'shell_call', id: 'sh_1', call_id: 's', action: { commands: ['ls'] } }
    const output = { type: 'shell_call_output', id: 'sho_1', call_id: 's', output: [] }
    expect(send(turnOf(shell, output, message)).input).toEqual([shell, output, message])
    expect(send(turnOf(shell, message))).toMatchObject({
      input: [message],
      losses: [{ keyword: 'shell_call', action: 'dropped' }],
    })
  })

  it('of another provider is text and calls', () => {
    const metadata = { 'openai-chat': { items: [reasoning] }, 'openai-responses': { items: 'x' } }
    expect(send({ role: 'assistant', content: 'Hi', metadata }).input).toEqual([
      { type: 'message', role: 'assistant', content: 'Hi' },
    ])
  })
})
