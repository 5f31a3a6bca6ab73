import { describe, expect, it } from 'vitest'
import { bfclPython } from './bfcl-python.ts'

function read(text: string): { text: string; calls: string[][] } {
  const parsed = bfclPython.parse(text)
  return { text: parsed.text, calls: parsed.toolCalls.map((call) => [call.name, call.arguments]) }
}

const calls = [
  ['a.b', '{"x": 1}'],
  ['c', '{"y": "z"}'],
]

describe('a response', () => {
  it('is a list of calls', () => {
    expect(read(`[a.b(x=1), c(y='z')]`)).toEqual({ text: '', calls })
  })

  it('may lack either bracket or both', () => {
    for (const text of [`a.b(x=1), c(y='z')`, `[a.b(x=1), c(y='z')`, `a.b(x=1), c(y='z')]`, `a.b(x=1)\nc(y='z')`])
      expect(read(text)).toEqual({ text: '', calls })
  })

  it('may be in a code fence, or in back-ticks', () => {
    for (const text of [`[a.b(x=1), c(y='z')]`, `a.b(x=1), c(y='z')`])
      for (const [open, close] of [
        ['```python\n', '\n```'],
        ['```\n', '\n```'],
        ['```', '```'],
        ['`', '`'],
      ])
        expect(read(`${open}${text}${close}`)).toEqual({ text: '', calls })
  })

  it('may follow reasoning or lines of text', () => {
    expect(read(`<think>Hm.</think>\na.b(x=1), c(y='z')`).calls).toEqual(calls)
    expect(read(`Now:\n\n[a.b(x=1), c(y='z')]`)).toEqual({ text: 'Now:', calls })
  })

  it('is text when it starts as text', () => {
    for (const text of [
      'print is a function.',
      'Sure! [f(a=1)]',
      'f',
      'f(a=1) is a call',
      '`f` is a call',
      '[]',
      '[1, 2]',
      '[f(a=1, b="x',
    ]) {
      expect(read(text).calls).toEqual([])
    }
    expect(read('Use `f(a=1)` for that.').text).toBe('Use `f(a=1)` for that.')
  })

  it('is an example in a fence or in back-ticks, if the policy says so', () => {
    for (const text of ['```python\n[f(a=1)]\n```', '\n```\n\n [f(a=1)]\n```', '```f(a=1)```', '`[f(a=1)]`'])
      expect(bfclPython.parse(text, { callInFence: 'text' })).toEqual({ text: text.trim(), toolCalls: [] })
    expect(bfclPython.parse('```\n[f(a=1)]\n```\n\n[g(a=1)]', { callInFence: 'text' }).toolCalls).toMatchObject([{ name: 'g' }])
  })

  it('calls no unknown tool, unless brackets or a fence mark it as a call', () => {
    expect(bfclPython.parse('f(a=1)', { tools: [] })).toEqual({ text: 'f(a=1)', toolCalls: [] })
    expect(bfclPython.parse('[f(a=1)]', { tools: [] }).toolCalls).toMatchObject([{ name: 'f', tags: ['unknown_tool'] }])
  })
})

describe('an argument', () => {
  it('without a name is dropped, and a word is its own text', () => {
    expect(bfclPython.parse('[f(1, b=celsius)]').toolCalls).toMatchObject([{ arguments: '{"b": "celsius"}', tags: ['repaired'] }])
  })

  it('may be a call', () => {
    expect(read('[f(a=g(x=1), b=h(2))]').calls).toEqual([['f', '{"a": {"g": {"x": 1}}, "b": "h(2)"}']])
  })
})
