import { describe, expect, it } from 'vitest'
import { assistantBlocks, type BlockForms } from './assistant-blocks.ts'

/** `t:` is text, `c:` a call, anything else a block of the provider's own. */
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
  it('writes text, then calls, where the provider has kept nothing', () => {
    expect(write('hello', ['1', '2'], [])).toEqual(['t:hello', '0:1', '1:2'])
  })

  it("keeps the provider's order of an unchanged message", () => {
    expect(write('ab', ['1', '2'], KEPT)).toEqual(['thought', 't:a', 'search', '0:1 kept', 't:b', '1:2 kept'])
  })

  it('puts another text where the first one stood', () => {
    expect(write('new', ['1', '2'], KEPT)).toEqual(['thought', 't:new', 'search', '0:1 kept', '1:2 kept'])
  })

  it('puts a text that there was not before the calls', () => {
    expect(write('new', ['1'], ['thought', 'c:1'])).toEqual(['thought', 't:new', '0:1 kept'])
    expect(write('new', [], ['thought'])).toEqual(['thought', 't:new'])
  })

  it('leaves out a call that is gone, and adds a new one at the end', () => {
    expect(write('ab', ['2', '3'], KEPT)).toEqual(['thought', 't:a', 'search', 't:b', '0:2 kept', '1:3'])
  })

  it('writes no blank text', () => {
    expect(write(' \n', [], [])).toEqual([])
    expect(write('\n\nb', [], ['t:\n\n', 'thought', 't:b'])).toEqual(['thought', 't:b'])
  })

  it('sends both calls of one id, for the API to refuse', () => {
    expect(write('', ['1', '1'], ['c:1', 'c:1'])).toEqual(['1:1 kept', '0:1'])
  })
})
