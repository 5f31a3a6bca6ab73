import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../protocol/collect.ts'
import type { ParserOptions } from './define/dialect.ts'
import { functionaryV32 } from './functionary-v32.ts'

function read(text: string) {
  const { text: prose, toolCalls } = functionaryV32.parse(text)
  return [prose, ...toolCalls.map((call) => [call.name, call.arguments])]
}

describe('a response', () => {
  it('continues after the marker at the end of the prompt', () => {
    expect(read('all\nHello,\nyou')).toEqual(['Hello,\nyou'])
    expect(read('a\n{"q": 1}')).toEqual(['', ['a', '{"q": 1}']])
    expect(read('>>>a\n{"q": 1}')).toEqual(['', ['a', '{"q": 1}']])
  })

  it('is reported unchanged if it is malformed', () => {
    expect(functionaryV32.parse('a\n{"q": 1').malformedCalls).toEqual(['a\n{"q": 1'])
    expect(functionaryV32.parse('>>>a\n{"q": 1').malformedCalls).toEqual(['>>>a\n{"q": 1'])
  })

  it('contains no tool name in its text or after a call without the marker', () => {
    expect(read('all\na\n{"q": 1}')).toEqual(['a\n{"q": 1}'])
    expect(read('a\n{"q": 1}\nb\n{}')).toEqual(['b\n{}', ['a', '{"q": 1}']])
  })

  it('may be text and then calls', () => {
    expect(read('all\nLet me see.\n>>>a\n{"q": ">>>b"}>>>b\n{}')).toEqual(['Let me see.', ['a', '{"q": ">>>b"}'], ['b', '{}']])
  })

  it('is text if it starts with no name', () => {
    for (const text of ['Hello', 'Hello\nyou', 'Hello you\n{"q": 1}', '\n{"q": 1}', 'x'.repeat(500), '>>> x\n{"q": 1}'])
      expect(read(text)).toEqual([text.trim()])
  })

  it('is parsed in the same way in pieces, and held back only while its first line may be a name', () => {
    for (const text of ['all\nHi', 'a\n{"q": 1}', 'a\nb', 'Hello you', 'a', 'a\n', '']) {
      const parser = functionaryV32.streamParser()
      const deltas = text.split('').flatMap((unit) => [...parser.push(unit)])
      const { text: prose, ...response } = collectDeltas([...deltas, ...parser.end()])
      expect({ text: prose.trim(), ...response }).toEqual(functionaryV32.parse(text))
    }
    expect(collectDeltas(functionaryV32.streamParser().push('Hello ')).text).toBe('Hello ')
  })
})

describe('a response that starts in reasoning', () => {
  const readOn = (text: string, options?: ParserOptions) => {
    const { toolCalls, ...rest } = functionaryV32.parse(text, { startsInReasoning: true, ...options })
    return { ...rest, calls: toolCalls.map(({ name }) => name) }
  }

  it.each(['unless-closed', 'call'] as const)('keeps an answer as text: %s', (callInReasoning) => {
    const options = { callInReasoning }
    expect(readOn('hm\n>>>all\nThe answer.', options)).toEqual({ text: 'The answer.', reasoning: 'hm\n', calls: [] })
    expect(readOn('>>>all\nParis\n{"q": 1}', options)).toEqual({ text: 'Paris\n{"q": 1}', calls: [] })
  })

  it('keeps or drops text after a call', () => {
    const text = 'hm\n>>>a\n{"q": 1}\nDone.'
    const reasoning = { reasoning: 'hm\n', calls: ['a'] }
    expect(readOn(text, { callInReasoning: 'call' })).toEqual({ text: 'Done.', ...reasoning })
    expect(readOn(text, { callInReasoning: 'call', textAfterCalls: 'drop' })).toEqual({ text: '', ...reasoning })
  })

  it('emits an answer as it arrives', () => {
    const parser = functionaryV32.streamParser({ startsInReasoning: true, callInReasoning: 'call' })
    expect(collectDeltas([...parser.push('hm\n>>>all\nThe ans')])).toMatchObject({ text: 'The ans' })
  })
})

it('refuses a name that marks text or would be parsed differently', () => {
  for (const name of ['all', '', ' a', 'a>b', 'a\nb', 'a'.repeat(129)])
    expect(functionaryV32.formatCall({ id: 'x', name, arguments: '{}' })).toMatchObject({
      ok: false,
      code: 'invalid_name',
      message: expect.stringMatching(/ Rename the tool\.$/),
    })
})
