import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSignature } from './signature-string.ts'
import { isOptionalField } from './tool-fields.ts'

describe('parseSignature', () => {
  it('parses names, types, lists and choices into plain schemas', () => {
    const text = `question, context: string[], depth:integer -> answer : string , mood: 'good' | "very bad", ok: boolean, scores: number [ ]`
    expect(parseSignature(text.replace('number [ ]', 'number[]'))).toEqual({
      inputs: {
        question: { type: 'string' },
        context: { type: 'array', items: { type: 'string' } },
        depth: { type: 'integer' },
      },
      outputs: {
        answer: { type: 'string' },
        mood: { enum: ['good', 'very bad'] },
        ok: { type: 'boolean' },
        scores: { type: 'array', items: { type: 'number' } },
      },
    })
  })

  it("marks an optional field like TypeBox, with a mark that isn't sent", () => {
    const { inputs, outputs } = parseSignature('hint? -> answer, score?: number')
    expect([inputs.hint, outputs.score, outputs.answer].map(isOptionalField)).toEqual([true, true, false])
    expect(JSON.stringify(outputs.score)).toBe('{"type":"number"}')
  })

  it('parses several lines, and a signature without inputs', () => {
    expect(Object.keys(parseSignature('\n  a,\n\tb\n->\n  c\n').inputs)).toEqual(['a', 'b'])
    expect(parseSignature('-> poem').inputs).toEqual({})
  })

  it.each([
    ['question', '"->" is missing', 8],
    ['a -> b -> c', 'there is a second "->"', 7],
    ['a,, b -> c', 'a name is missing', 2],
    ['a, -> c', 'a name is missing', 3],
    ['a -> 2b', '"2b" is not a valid field name', 5],
    ['__proto__ -> b', '"__proto__" is not a valid field name', 0],
    ['a, b, a -> c', '"a" is declared twice', 6],
    ['a: strin -> b', '"strin" is not a known type', 3],
    ['a -> b:', 'a type is missing', 7],
    ['a -> b: object[]', '"object[]" is not a known type', 8],
    ["a -> b: 'x' | y", 'a choice must be a quoted string', 14],
    ["a -> b: 'x' | 'x'", 'the choice "x" is listed twice', 14],
    ["a -> b: 'it's'", 'a choice must be a quoted string', 8],
  ])('refuses %j and shows the position', (text, words, at) => {
    const parse = () => parseSignature(text)
    expect(parse).toThrow(TypeError)
    expect(parse).toThrow(words)
    expect(parse).toThrow(`at character ${at}.\n${text}\n${' '.repeat(at)}^`)
  })

  it('shows the line of the fault', () => {
    expect(() => parseSignature('a ->\n  b: text')).toThrow('at character 10.\n  b: text\n     ^')
  })

  it('throws only a TypeError, whatever the text', () => {
    const texts = fc.array(fc.constantFrom('a', 'b?', ',', ':', '->', 'string', '[]', "'x'", '|', ' ', '\n', '"', '__proto__'))
    fc.assert(
      fc.property(texts, (pieces) => {
        try {
          const { inputs, outputs } = parseSignature(pieces.join(''))
          for (const schema of [...Object.values(inputs), ...Object.values(outputs)]) expect(schema).toBeTypeOf('object')
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          expect((error as Error).message).toMatch(/^defineSignature: .*at character \d+\.\n/)
        }
      }),
    )
  })
})
