import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { redactValue } from './redact-value.ts'

describe('redactValue', () => {
  it('replaces values under keys that look secret, whatever their type', () => {
    const value = { user: 'ada', password: 'x', deep: [{ apiKey: { id: 1 }, pin: 1234, count: 2 }] }
    expect(redactValue(value)).toEqual({
      user: 'ada',
      password: '[redacted]',
      deep: [{ apiKey: '[redacted]', pin: '[redacted]', count: 2 }],
    })
  })

  it('replaces values that the schema marks as writeOnly, even behind a reference and in a list', () => {
    const schema = Type.Object({
      card: Type.String({ writeOnly: true }),
      notes: Type.Array(Type.Object({ text: Type.String({ writeOnly: true }), at: Type.Number() })),
    })
    const value = { card: '4111', notes: [{ text: 'a', at: 1 }], other: 'b' }
    const left = { card: '[redacted]', notes: [{ text: '[redacted]', at: 1 }], other: 'b' }
    expect(redactValue(value, schema)).toEqual(left)
    const referring = { $ref: '#/$defs/all', $defs: { all: JSON.parse(JSON.stringify(schema)) } }
    expect(redactValue(value, referring)).toEqual(left)
    expect(redactValue('a', { writeOnly: true })).toBe('[redacted]')
  })

  it('replaces credentials in strings and keys', () => {
    const token = 'sk-abcdefghij0123456789'
    expect(redactValue({ note: `use ${token} now`, [token]: 1, list: [token] })).toEqual({
      note: 'use [redacted] now',
      '[redacted]': 1,
      list: ['[redacted]'],
    })
  })

  it('returns a copy, and keeps a key that could change a prototype', () => {
    const value = JSON.parse('{"__proto__":{"password":"x"},"a":[1,null,true]}')
    const left = redactValue(value)
    expect(JSON.stringify(left)).toBe('{"__proto__":{"password":"[redacted]"},"a":[1,null,true]}')
    expect(value.a).not.toBe((left as typeof value).a)
  })
})

it('redacts what is marked behind a dynamic reference, and in one of many branches', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { open: { $dynamicAnchor: 'member' }, hidden: { $id: 'hidden', $dynamicAnchor: 'member', writeOnly: true } },
    properties: { a: { $dynamicRef: '#member' }, b: { $ref: 'hidden' } },
  }
  expect(redactValue({ a: 'x', b: 'y', c: 'z' }, schema)).toEqual({ a: '[redacted]', b: '[redacted]', c: 'z' })
  const branches = Array.from({ length: 500 }, (_, index) => ({ properties: { [`p${index}`]: { writeOnly: true } } }))
  expect(redactValue({ p3: 'x' }, { properties: { in: { anyOf: branches } } })).toEqual({ p3: 'x' })
  expect(redactValue({ in: { p3: 'x' } }, { properties: { in: { anyOf: branches } } })).toEqual({ in: '[redacted]' })
})

it('redacts what the schema marks in an object that was given as JSON text', () => {
  const card = { type: 'object', properties: { code: { type: 'string', writeOnly: true } } }
  const schema = { properties: { card, list: { items: card }, note: { type: 'string' } } }
  const value = { card: '{"code":"1234","of":"me"}', list: ' ["{\\"code\\":\\"5678\\"}"]', note: '{ "code": 1 }', rest: '{"code' }
  expect(redactValue(value, schema)).toEqual({
    card: '{"code":"[redacted]","of":"me"}',
    list: '["{\\"code\\":\\"[redacted]\\"}"]',
    note: '{"code":1}',
    rest: '{"code',
  })
  expect(redactValue({ card: `${'['.repeat(1e5)}${']'.repeat(1e5)}` }, schema)).toEqual({ card: '[redacted]' })
})
