import { describe, expect, it } from 'vitest'
import type { Reading } from '../../engine/text-input.ts'
import { TextInput } from '../../engine/text-input.ts'
import { readTaggedValue, ValueEnds } from './tagged-value.ts'

const ENDS = new ValueEnds('</v>', ['<v>', '</call>'], '<v>')

/** Returns how a value ends, the value, and the remaining text. */
function read(text: string, pieces: readonly string[] = [text]): [string, string, string] {
  const input = new TextInput()
  let value = ''
  let end = ''
  function* all(): Reading {
    end = yield* readTaggedValue(input, ENDS, (piece) => {
      value += piece
    })
  }
  const reading = all()
  for (const piece of pieces) if (input.append(piece)) reading.next()
  input.isEnded = true
  reading.next()
  return [end, value, input.text.slice(input.at)]
}

describe('a value between tags', () => {
  it('ends at its close tag', () => {
    expect(read('a</v> <v>b')).toEqual(['close', 'a', '<v>b'])
    expect(read('a</v></call>')).toEqual(['close', 'a', '</call>'])
    expect(read('a</v>\n')).toEqual(['close', 'a', ''])
  })

  it('ends at the text after it if its close tag is missing', () => {
    expect(read('a<v>b</v>')).toEqual(['next', 'a', '<v>b</v>'])
  })

  it('continues after a close tag if another one follows', () => {
    expect(read('a</v>b</v></v>c</v></call>')).toEqual(['close', 'a</v>b</v></v>c', '</call>'])
  })

  it('drops text between its last close tag and the next marker', () => {
    expect(read('a</v> and then <v>')).toEqual(['surplus', 'a', '<v>'])
  })

  it('is truncated if the text ends in it, even after a close tag that may be data', () => {
    expect(read('a')).toEqual(['cut', 'a', ''])
    expect(read('a</')).toEqual(['cut', 'a</', ''])
    expect(read('a</v> b')).toEqual(['cut', 'a</v> b', ''])
  })

  it('is closed if the text ends inside a marker that may follow, and truncated inside the tag of another parameter', () => {
    expect(read('a</v></ca')[0]).toBe('close')
    expect(read('a</v><')[0]).toBe('close')
    expect(read('a</v><v')[0]).toBe('cut')
  })

  it('is read in the same way however it is split', () => {
    for (const text of ['a</v> b</v></call>x', 'a</v>', 'a<v>', 'a</v', '</v></v>  </ca', '</v>b<v>'])
      expect(read(text, text.split(''))).toEqual(read(text))
  })
})
