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

it('gives each output its text, wherever the reply is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      expect(read(readMarkedFields(report), reply, sizes)).toEqual({ city: 'Oslo [[ ## here ## ]]\nand on', degrees: '21' })
    }),
  )
})

it('one text is the whole reply, or what stands under its marker', () => {
  expect(read(readMarkedFields(answer), 'In Oslo.\n[[ no marker')).toEqual({ answer: 'In Oslo.\n[[ no marker' })
  expect(read(readMarkedFields(answer), '[[ ## answer ## ]]\nIn Oslo.')).toEqual({ answer: 'In Oslo.' })
  expect(read(readMarkedFields(answer), 'In\n[[ ## odd ## ]] Oslo.')).toEqual({ answer: 'In\n[[ ## odd ## ]] Oslo.' })
})

it('the beginning of a marker at the end of a reply is text', () => {
  expect(read(readMarkedFields(answer), 'x\n[[ ## ')).toEqual({ answer: 'x\n[[ ##' })
})

it('reads any text as the adapter does when it is whole', () => {
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

it('emits blanks before the text that follows them, and not at the end of an output', () => {
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

it('a million blanks, one by one, take no longer than other text', () => {
  const reader = readMarkedFields(answer)
  const found = ['a', ...Array.from({ length: 1_000_000 }, () => ' '), 'b'].flatMap((text) => reader.push(text))
  expect(found.map(({ text }) => text.length)).toEqual([1, 1_000_001])
})

/** The text of each field from pieces of these sizes, over and over. */
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
