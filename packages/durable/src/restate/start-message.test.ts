import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readStart } from './start-message.ts'

/** A varint of protobuf. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

type Field = readonly [number: number, value: number | readonly number[]]

function messageOf(fields: readonly Field[], type = 0): Uint8Array {
  const body = fields.flatMap(([number, value]) =>
    typeof value === 'number'
      ? [...varint(number * 8), ...varint(value)]
      : [...varint(number * 8 + 2), ...varint(value.length), ...value],
  )
  const header = new DataView(new ArrayBuffer(8))
  header.setUint16(0, type)
  header.setUint32(4, body.length)
  return Uint8Array.from([...new Uint8Array(header.buffer), ...body])
}

const id: Field = [1, [8, 3, 56, 9]]
const key: Field = [6, [...Buffer.from('run-1')]]

it('reads the entries and the retries between other fields', () => {
  const fields = [id, [3, 300], key, [7, 2], [8, 2 ** 40]] as const
  expect(readStart(messageOf(fields))).toEqual({ entries: 300, retries: 2 })
  expect(readStart(Uint8Array.from([...messageOf(fields), 1, 2, 3]))).toEqual({ entries: 300, retries: 2 })
  expect(readStart(messageOf([id, [3, 1], key]))).toEqual({ entries: 1, retries: 0 })
})

it('counts no retries in an incomplete message, or in one of another type', () => {
  const fields = [id, [3, 6], [7, 2]] as const
  const message = messageOf(fields)
  for (let end = 0; end < message.length; end++) expect(readStart(message.subarray(0, end))).toEqual({ entries: 0, retries: 0 })
  expect(readStart(messageOf(fields, 1))).toEqual({ entries: 0, retries: 0 })
})

it('reads any fields in any order, at any place in a buffer', () => {
  const value = fc.oneof(fc.nat(), fc.array(fc.nat(255), { maxLength: 300 }))
  const others = fc.array(fc.tuple(fc.constantFrom(1, 2, 4, 5, 6, 9, 100), value))
  fc.assert(
    fc.property(others, others, fc.nat(), fc.nat(), fc.nat(20), (before, after, entries, retries, at) => {
      const message = messageOf([...before, [7, retries], ...after, [3, entries]])
      const bytes = Uint8Array.from([...Array(at).fill(255), ...message]).subarray(at)
      expect(readStart(bytes)).toEqual({ entries, retries })
    }),
  )
})

it('never throws', () => {
  const body = fc.uint8Array({ maxLength: 400 })
  fc.assert(
    fc.property(body, fc.boolean(), (bytes, isMessage) => {
      const header = new DataView(new ArrayBuffer(8))
      header.setUint32(4, bytes.length)
      const { entries, retries } = readStart(isMessage ? Uint8Array.from([...new Uint8Array(header.buffer), ...bytes]) : bytes)
      expect(Number.isNaN(entries + retries)).toBe(false)
    }),
  )
})
