import { describe, expect, it } from 'vitest'
import { formatYaml, readYamlArguments } from './yaml-arguments.ts'

const ANY = { type: 'object' }

/** What a body says, without a schema for its parts. */
function read(body: string, schema: object = ANY): unknown {
  const json = readYamlArguments(body, schema)?.json
  return json === undefined ? undefined : JSON.parse(json)
}

describe('YAML arguments', () => {
  it('are mappings and lists, nested by their indentation', () => {
    const body = 'a:\n  b: x\n  c:\n  - 1\n  - d: y\n    e: z\n  -\n    - 2\nf:\n'
    expect(read(body)).toEqual({ a: { b: 'x', c: [1, { d: 'y', e: 'z' }, [2]] }, f: null })
  })

  it('have plain scalars of the core schema where nothing is declared', () => {
    const body = 'a: ~\nb: True\nc: 0x1F\nd: 0o17\ne: +5\nf: -.5\ng: 1e3\nh: yes\ni: 2025-06-15\nj: .inf\nk: 1e999'
    const numbers = { c: 31, d: 15, e: 5, f: -0.5, g: 1000 }
    expect(read(body)).toEqual({ a: null, b: true, ...numbers, h: 'yes', i: '2025-06-15', j: '.inf', k: '1e999' })
  })

  it('are read as the schema asks', () => {
    const properties = {
      zip: { type: 'string' },
      n: { type: 'integer' },
      on: { type: ['boolean', 'string'] },
      none: { type: 'string' },
    }
    expect(read('zip: 01234\nn: "5"\non: "true"\nnone: ~', { properties })).toEqual({ zip: '01234', n: 5, on: 'true', none: '~' })
    expect(readYamlArguments('n: 12345678901234567890', { properties })?.json).toBe('{"n": 12345678901234567890}')
  })

  it('may lack quotes where a colon or a bracket stands in text', () => {
    expect(read('a: Foo: bar\nb: [x](y) z\nc: http://x:1/#y')).toEqual({ a: 'Foo: bar', b: '[x](y) z', c: 'http://x:1/#y' })
  })

  it('have comments outside of text', () => {
    expect(read('# one\na: b # two\n\nc: "d # e" # three\n')).toEqual({ a: 'b', c: 'd # e' })
  })

  it('have quoted scalars with escapes, over several lines', () => {
    expect(read("a: \"x\\n\\u00e9\\x41\\\"\n  y\n\n  z\\\n  w\"\nb: 'it''s\n  so'")).toEqual({ a: 'x\néA" y\nzw', b: "it's so" })
  })

  it('have block scalars, literal and folded, with every chomping', () => {
    const lines = '  a\n    b\n  c\n  d\n\n  e\n\n'
    expect(read(`x: |\n${lines}y: 1`)).toEqual({ x: 'a\n  b\nc\nd\n\ne\n', y: 1 })
    expect(read(`x: |-\n${lines}y: 1`)).toEqual({ x: 'a\n  b\nc\nd\n\ne', y: 1 })
    expect(read(`x: |+\n${lines}y: 1`)).toEqual({ x: 'a\n  b\nc\nd\n\ne\n\n', y: 1 })
    expect(read(`x: >-\n${lines}y: 1`)).toEqual({ x: 'a\n  b\nc d\ne', y: 1 })
    expect(read('x: |2\n    a\n   b\n')).toEqual({ x: '  a\n b\n' })
    expect(read('x: |\ny: 1')).toEqual({ x: '', y: 1 })
  })

  it('have plain text over several lines', () => {
    expect(read('a: b\n  c\n\n  d\ne: f')).toEqual({ a: 'b c\nd', e: 'f' })
  })

  it('may hold JSON, over several lines and with mistakes', () => {
    expect(read('a: {"b": [1,\n  2]}\nc: [\'x\',]\n')).toEqual({ a: { b: [1, 2] }, c: ['x'] })
    expect(read('{"a": 1}')).toEqual({ a: 1 })
  })

  it('keep all digits of a number, also where they are mended', () => {
    const long = '12345678901234567890'
    const json = (body: string) => readYamlArguments(body, ANY)?.json
    expect(json(`a: {"id": ${long},}`)).toBe(`{"a": {"id": ${long}}}`)
    expect(json(`a: +${long}.`)).toBe(`{"a": ${long}.0}`)
    expect(json(`a: {id: ${long}}`)).toBeUndefined()
  })

  it('tell which values had to be coerced', () => {
    const schema = { properties: { n: { type: 'integer' }, list: { type: 'array', items: { type: 'boolean' } } } }
    const isCoerced = (body: string) => readYamlArguments(body, schema)?.isCoerced
    expect(isCoerced('n: 5\nlist: [true]')).toBe(false)
    for (const body of ['n: "5"', 'n: 5.0', 'list:\n  - "true"']) expect(isCoerced(body)).toBe(true)
  })

  it('may stand in a fence, or begin as a document', () => {
    expect(read('\n```yaml\na: 1\n```\n')).toEqual({ a: 1 })
    expect(read('\n---\na: 1\n')).toEqual({ a: 1 })
  })

  it('may be elements after all', () => {
    expect(read('\n<a> x </a>\n<b>y\n')).toEqual({ a: 'x', b: 'y' })
  })

  it('are unread where they are no mapping, or more than is read here', () => {
    const bodies = [
      '- a',
      'text',
      '[a: b:',
      'a: &x 1',
      'a: *x',
      'a: !!str 1',
      'a: "x',
      'a: "\\q"',
      'a: b\n  c: d',
      '\ta: 1',
      'a: 1\n b: 2',
    ]
    for (const body of bodies) expect([body, read(body)]).toEqual([body, undefined])
  })

  it('are unread where they are too deep', () => {
    expect(read(`a: ${'- '.repeat(5_000)}x`)).toEqual({ a: `${'- '.repeat(5_000)}x` })
    expect(read(`a:\n${'- '.repeat(5_000)}x`)).toBeUndefined()
  })

  it('keep keys of the prototype as keys', () => {
    expect(readYamlArguments('__proto__: 1', ANY)?.json).toBe('{"__proto__": 1}')
  })
})

describe('writing YAML', () => {
  const format = (args: Record<string, unknown>) => formatYaml(args, (text) => text.includes('</t>'))

  it('uses the style that fits a value', () => {
    expect(format({ a: 'x y', b: 'x\ny\n', c: 'x\n\ny', d: '5', e: 5, f: ['x', null], g: { h: 'i' }, j: [{ k: 1 }] })).toBe(
      '\na: x y\nb: |\n  x\n  y\nc: |-\n  x\n\n  y\nd: "5"\ne: 5\nf:\n  - x\n  - null\ng:\n  h: i\nj: [{"k":1}]',
    )
  })

  it('writes what must not stand there with escapes', () => {
    expect(format({ a: 'x\n</t>\n' })).toBe('\na: "x\\n\\u003c/t>\\n"')
  })
})
