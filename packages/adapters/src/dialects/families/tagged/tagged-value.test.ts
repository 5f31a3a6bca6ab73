import { describe, expect, it } from 'vitest'
import type { Reading } from '../../engine/text-input.ts'
import { TextInput } from '../../engine/text-input.ts'
import { readTaggedValue, ValueEnds } from './tagged-value.ts'

const ENDS = new ValueEnds('</v>', ['<v>', '</call>'], '<v>')

/** How a value ends, what it is, and what is left. */
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

  it('ends at what follows it, when its close tag is missing', () => {
    expect(read('a<v>b</v>')).toEqual(['next', 'a', '<v>b</v>'])
  })

  it('goes on behind a close tag when another one comes', () => {
    expect(read('a</v>b</v></v>c</v></call>')).toEqual(['close', 'a</v>b</v></v>c', '</call>'])
  })

  it('drops what stands between its last close tag and what follows', () => {
    expect(read('a</v> and then <v>')).toEqual(['surplus', 'a', '<v>'])
  })

  it('is cut when the text ends in it, also behind a close tag that may be data', () => {
    expect(read('a')).toEqual(['cut', 'a', ''])
    expect(read('a</')).toEqual(['cut', 'a</', ''])
    expect(read('a</v> b')).toEqual(['cut', 'a</v> b', ''])
  })

  it('is closed when the text ends in what may follow, and cut in what opens another one', () => {
    expect(read('a</v></ca')[0]).toBe('close')
    expect(read('a</v><')[0]).toBe('close')
    expect(read('a</v><v')[0]).toBe('cut')
  })

  it('reads the same however it is cut', () => {
    for (const text of ['a</v> b</v></call>x', 'a</v>', 'a<v>', 'a</v', '</v></v>  </ca', '</v>b<v>'])
      expect(read(text, text.split(''))).toEqual(read(text))
  })
})
