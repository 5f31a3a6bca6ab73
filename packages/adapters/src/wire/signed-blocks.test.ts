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
  it('writes text, then calls, if there are no stored blocks', () => {
    expect(write({ content: 'hello', toolCalls: calls('1', '2') }).blocks).toEqual([{ text: 'hello' }, call('1'), call('2')])
  })

  it("keeps the provider's order of an unchanged message", () => {
    expect(write({ content: 'ab', toolCalls: calls('1', '2'), reasoning: 'hm', ...KEPT })).toEqual({
      blocks: [THOUGHT, { text: 'a' }, SEARCH, keptCall('1'), { text: 'b' }, keptCall('2')],
      losses: [],
    })
  })

  it('puts edited text in the position of the original text', () => {
    expect(write({ content: 'new', toolCalls: calls('1', '2'), ...KEPT }).blocks).toEqual([
      ...[THOUGHT, { text: 'new' }, SEARCH, keptCall('1'), keptCall('2')],
    ])
  })

  it("doesn't end with reasoning, which is reported", () => {
    expect(write({ content: '', ...keeping(THOUGHT) })).toMatchObject({
      blocks: [],
      losses: [{ path: '/metadata', keyword: 'reasoning', action: 'dropped' }],
    })
  })

  it("reports reasoning that isn't in any block", () => {
    expect(write({ content: 'a', reasoning: 'hm' }).losses).toMatchObject([{ path: '/reasoning', action: 'dropped' }])
  })

  it('reads only metadata under the name of its own wire format', () => {
    expect(write({ content: 'a', metadata: { other: { content: [SEARCH] } } }).blocks).toEqual([{ text: 'a' }])
  })

  it("omits and reports values that aren't blocks, could change a prototype or are too deep to be serialized", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`)
    for (const block of [null, 5, [], JSON.parse('{"__proto__": {}}'), deep]) {
      expect(write({ content: '', ...keeping(block) })).toMatchObject({
        blocks: [],
        losses: [{ path: '/metadata', keyword: 'wire', action: 'dropped' }],
      })
    }
  })
})
