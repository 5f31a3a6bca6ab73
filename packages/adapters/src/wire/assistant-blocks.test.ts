import { describe, expect, it } from 'vitest'
import { assistantBlocks, type BlockForms } from './assistant-blocks.ts'

/** Blocks as strings: `t:` starts a text block, `c:` a call, and anything else is a block that only the provider can create. */
const FORMS: BlockForms<string> = {
  textOf: (block) => (block.startsWith('t:') ? block.slice(2) : undefined),
  callIdOf: (block) => (block.startsWith('c:') ? block.slice(2) : undefined),
  toText: (text) => `t:${text}`,
  toCall: ({ id }, index, kept) => `${index}:${id}${kept === undefined ? '' : ' kept'}`,
}
const write = (content: string, ids: readonly string[], kept: readonly string[]) => {
  const toolCalls = ids.map((id) => ({ id, name: 'f', arguments: '{}' }))
  return assistantBlocks({ role: 'assistant', content, toolCalls }, kept, FORMS)
}
const KEPT = ['thought', 't:a', 'search', 'c:1', 't:b', 'c:2']

describe('assistantBlocks', () => {
  it('writes text, then calls, if there are no stored blocks', () => {
    expect(write('hello', ['1', '2'], [])).toEqual(['t:hello', '0:1', '1:2'])
  })

  it("keeps the provider's order of an unchanged message", () => {
    expect(write('ab', ['1', '2'], KEPT)).toEqual(['thought', 't:a', 'search', '0:1 kept', 't:b', '1:2 kept'])
  })

  it('puts edited text in the position of the original text', () => {
    expect(write('new', ['1', '2'], KEPT)).toEqual(['thought', 't:new', 'search', '0:1 kept', '1:2 kept'])
  })

  it('puts added text before the calls', () => {
    expect(write('new', ['1'], ['thought', 'c:1'])).toEqual(['thought', 't:new', '0:1 kept'])
    expect(write('new', [], ['thought'])).toEqual(['thought', 't:new'])
  })

  it('omits removed calls, and appends new ones', () => {
    expect(write('ab', ['2', '3'], KEPT)).toEqual(['thought', 't:a', 'search', 't:b', '0:2 kept', '1:3'])
  })

  it('writes no blank text', () => {
    expect(write(' \n', [], [])).toEqual([])
    expect(write('\n\nb', [], ['t:\n\n', 'thought', 't:b'])).toEqual(['thought', 't:b'])
  })

  it('sends both calls with the same id, and leaves the error to the API', () => {
    expect(write('', ['1', '1'], ['c:1', 'c:1'])).toEqual(['1:1 kept', '0:1'])
  })
})
