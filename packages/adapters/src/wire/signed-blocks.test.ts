import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { stringAt } from './read-json.ts'
import { type SignedForms, signedBlocks } from './signed-blocks.ts'

const FORMS: SignedForms = {
  name: 'wire',
  textOf: (block) => stringAt(block, 'text'),
  callIdOf: (block) => stringAt(block, 'call'),
  isReasoning: (block) => 'thought' in block,
  toText: (text) => ({ text }),
  toCall: ({ id }, input, kept) => ({ ...kept, call: id, input }),
}

function write(message: Omit<AssistantMessage, 'role'>) {
  const losses: Loss[] = []
  return { blocks: signedBlocks({ role: 'assistant', ...message }, FORMS, (loss) => losses.push(loss)), losses }
}
const calls = (...ids: readonly string[]) => ids.map((id) => ({ id, name: 'f', arguments: '{}' }))
const keeping = (...content: readonly unknown[]) => ({ metadata: { wire: { content } } })
const call = (id: string) => ({ call: id, input: {} })

const THOUGHT = { thought: 'hm' }
const SEARCH = { search: 'tea' }
const KEPT = keeping(THOUGHT, { text: 'a' }, SEARCH, { call: '1', kept: true }, { text: 'b' }, { call: '2', kept: true })
const keptCall = (id: string) => ({ ...call(id), kept: true })

describe('signedBlocks', () => {
  it('writes text, then calls, where the provider has kept nothing', () => {
    expect(write({ content: 'hello', toolCalls: calls('1', '2') }).blocks).toEqual([{ text: 'hello' }, call('1'), call('2')])
  })

  it("keeps the provider's order of an unchanged message", () => {
    expect(write({ content: 'ab', toolCalls: calls('1', '2'), reasoning: 'hm', ...KEPT })).toEqual({
      blocks: [THOUGHT, { text: 'a' }, SEARCH, keptCall('1'), { text: 'b' }, keptCall('2')],
      losses: [],
    })
  })

  it('puts another text where the first one stood', () => {
    expect(write({ content: 'new', toolCalls: calls('1', '2'), ...KEPT }).blocks).toEqual([
      ...[THOUGHT, { text: 'new' }, SEARCH, keptCall('1'), keptCall('2')],
    ])
  })

  it('does not end with reasoning, and reports it', () => {
    expect(write({ content: '', ...keeping(THOUGHT) })).toMatchObject({
      blocks: [],
      losses: [{ path: '/metadata', keyword: 'reasoning', action: 'dropped' }],
    })
  })

  it('reports reasoning that no block holds', () => {
    expect(write({ content: 'a', reasoning: 'hm' }).losses).toMatchObject([{ path: '/reasoning', action: 'dropped' }])
  })

  it("reads what is kept under its wire format's name alone", () => {
    expect(write({ content: 'a', metadata: { other: { content: [SEARCH] } } }).blocks).toEqual([{ text: 'a' }])
  })

  it('leaves out what is no block, reaches a prototype or is too deep to be written, and reports it', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`)
    for (const block of [null, 5, [], JSON.parse('{"__proto__": {}}'), deep]) {
      expect(write({ content: '', ...keeping(block) })).toMatchObject({
        blocks: [],
        losses: [{ path: '/metadata', keyword: 'wire', action: 'dropped' }],
      })
    }
  })
})
