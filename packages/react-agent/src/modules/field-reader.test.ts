import { defineSignature } from '@x/adapters'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { answer, report } from '../test-tools.ts'
import { FieldReader } from './field-reader.ts'

const reply =
  'Hello.\n[[ ## city ## ]]\nOslo [[ ## here ## ]]\nand on\n  [[ ## degrees ## ]] 21\n[[ ## city ## ]]\nagain\n[[ ## odd ## ]]\nx'

it('gives each output its text, wherever the reply is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      expect(read(new FieldReader(report), reply, sizes)).toEqual({ city: 'Oslo [[ ## here ## ]]\nand on', degrees: '21' })
    }),
  )
})

it('one text is the whole reply, or what stands under its marker', () => {
  expect(read(new FieldReader(answer), 'In Oslo.\n[[ no marker')).toEqual({ answer: 'In Oslo.\n[[ no marker' })
  expect(read(new FieldReader(answer), '[[ ## answer ## ]]\nIn Oslo.')).toEqual({ answer: 'In Oslo.' })
})

it('the beginning of a marker at the end of a reply is text', () => {
  expect(read(new FieldReader(answer), 'x\n[[ ## ')).toEqual({ answer: 'x\n[[ ##' })
})

it('any text is read, and what belongs to an output is a part of it', () => {
  const signature = defineSignature({ instructions: '', inputs: {}, outputs: { a: Type.String(), b: Type.String() } })
  const piece = fc.oneof(fc.string(), fc.constantFrom('[[ ## ', 'a', ' ## ]]', '\n', '[[ ## b ## ]]', '__proto__'))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const text of Object.values(read(new FieldReader(signature), pieces.join(''), [3])))
        expect(pieces.join('')).toContain(text)
    }),
  )
})

/** The text of each field, trimmed, from pieces of these sizes, over and over. */
function read(reader: FieldReader, text: string, sizes: readonly number[] = [4]): Record<string, string> {
  const found: Record<string, string> = {}
  let start = 0
  for (let turn = 0; start < text.length; turn++) {
    const end = start + (sizes[turn % sizes.length] as number)
    for (const piece of reader.push(text.slice(start, end))) found[piece.field] = (found[piece.field] ?? '') + piece.text
    start = end
  }
  for (const piece of reader.end()) found[piece.field] = (found[piece.field] ?? '') + piece.text
  return Object.fromEntries(Object.entries(found).map(([field, all]) => [field, all.trim()]))
}
