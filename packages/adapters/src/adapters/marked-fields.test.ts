import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { defineSignature } from '../signature/define-signature.ts'
import type { FieldReader } from './adapter.ts'
import { readMarkedFields } from './marked-fields.ts'
import { nativeAdapter } from './native.ts'

const answer = defineSignature('question -> answer', { instructions: '' })
const report = defineSignature('question -> city, degrees: number', { instructions: '' })

const reply =
  'Hello.\n[[ ## city ## ]]\nOslo [[ ## here ## ]]\nand on\n  [[ ## degrees ## ]] 21\n[[ ## city ## ]]\nagain\n[[ ## odd ## ]]\nx'

it('assigns the same text to each output, however the reply is split', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      expect(read(readMarkedFields(report), reply, sizes)).toEqual({ city: 'Oslo [[ ## here ## ]]\nand on', degrees: '21' })
    }),
  )
})

it('reads a single text output from the whole reply, or from under its marker', () => {
  expect(read(readMarkedFields(answer), 'In Oslo.\n[[ no marker')).toEqual({ answer: 'In Oslo.\n[[ no marker' })
  expect(read(readMarkedFields(answer), '[[ ## answer ## ]]\nIn Oslo.')).toEqual({ answer: 'In Oslo.' })
  expect(read(readMarkedFields(answer), 'In\n[[ ## odd ## ]] Oslo.')).toEqual({ answer: 'In\n[[ ## odd ## ]] Oslo.' })
})

it('treats the start of a marker at the end of a reply as text', () => {
  expect(read(readMarkedFields(answer), 'x\n[[ ## ')).toEqual({ answer: 'x\n[[ ##' })
})

it('reads the same text from a stream as the adapter from the whole reply', () => {
  const signature = defineSignature({ instructions: '', inputs: {}, outputs: { a: Type.String(), b: Type.String() } })
  const pieces = ['[[ ## ', 'a', 'b', ' ## ]]', '\n', ' ', '\r\n', '[[ ## a ## ]]', '\n[[ ## b ## ]]\n', '__proto__']
  const piece = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom(...pieces))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (all, sizes) => {
      const text = all.join('')
      const { outputs } = nativeAdapter.parse(signature, { text, toolCalls: [] })
      const found = read(readMarkedFields(signature), text, sizes)
      for (const field of ['a', 'b'] as const) expect(found[field] ?? '').toBe(outputs[field] ?? '')
    }),
    { numRuns: 1_000 },
  )
})

it('emits white space together with the text after it, and omits it at the end of an output', () => {
  const reader = readMarkedFields(report)
  const pushed = ['[[ ## city ## ]]\n', '\n a', ' ', '\n', 'b ', '\n', '[[ ## degrees ## ]]', '\n', '21', '\n'].map((text) =>
    reader.push(text),
  )
  expect([...pushed, reader.end()].flat()).toEqual([
    { field: 'city', text: 'a' },
    { field: 'city', text: ' \nb' },
    { field: 'degrees', text: '21' },
  ])
})

it('emits a million single spaces in one piece', () => {
  const reader = readMarkedFields(answer)
  const found = ['a', ...Array.from({ length: 1_000_000 }, () => ' '), 'b'].flatMap((text) => reader.push(text))
  expect(found.map(({ text }) => text.length)).toEqual([1, 1_000_001])
})

/** Returns the text of each field. Splits the reply into pieces with the given lengths, which are repeated as needed. */
function read(reader: FieldReader, text: string, sizes: readonly number[] = [4]): Record<string, string> {
  const found: Record<string, string> = {}
  let start = 0
  for (let turn = 0; start < text.length; turn++) {
    const end = start + (sizes[turn % sizes.length] as number)
    for (const piece of reader.push(text.slice(start, end))) found[piece.field] = (found[piece.field] ?? '') + piece.text
    start = end
  }
  for (const piece of reader.end()) found[piece.field] = (found[piece.field] ?? '') + piece.text
  return found
}
