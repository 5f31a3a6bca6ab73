import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type ArgumentChange, argumentStream, parseArguments } from './index.ts'

const show = (changes: readonly ArgumentChange[]) =>
  changes.map(
    ({ pointer, text, isComplete }) =>
      `${pointer || '(all)'}${text === undefined ? '' : ` +${JSON.stringify(text)}`}${isComplete ? ' done' : ''}`,
  )

describe('argumentStream', () => {
  it('grows one object in place, and tells what each delta did', () => {
    const stream = argumentStream()
    const { value } = stream
    expect(show(stream.push('{"pa'))).toEqual(['(all)'])
    expect(show(stream.push('th":"/s'))).toEqual(['/path +"/s"'])
    expect(value).toEqual({ path: '/s' })
    expect(show(stream.push('rv","n":1'))).toEqual(['/path +"rv" done'])
    expect(value).toEqual({ path: '/srv' })
    expect(show(stream.push('2,"tags":["a'))).toEqual(['/n done', '/tags', '/tags/0 +"a"'])
    expect(value).toEqual({ path: '/srv', n: 12, tags: ['a'] })
    expect(show(stream.push('"]}'))).toEqual(['/tags/0 +"" done', '/tags done', '(all) done'])
    expect(stream.end()).toEqual({ ok: true, value: { path: '/srv', n: 12, tags: ['a'] }, tags: [], changes: [] })
    expect(stream.value).toBe(value)
  })

  it('a change has the value as it is now', () => {
    const stream = argumentStream()
    const changes = stream.push('{"a":{"b":"x"},')
    expect(changes.map(({ pointer, value }) => [pointer, value])).toEqual([
      ['', { a: { b: 'x' } }],
      ['/a', { b: 'x' }],
      ['/a/b', 'x'],
      ['/a', { b: 'x' }],
    ])
  })

  it('pointers are escaped as RFC 6901 says', () => {
    const stream = argumentStream()
    expect(show(stream.push('{"a/b":{"c~d":1,'))).toContain('/a~1b/c~0d done')
  })

  it('a snapshot does not grow', () => {
    const stream = argumentStream()
    stream.push('{"a":"x')
    const snapshot = stream.snapshot()
    stream.push('yz"')
    expect([snapshot, stream.value]).toEqual([{ a: 'x' }, { a: 'xyz' }])
  })

  it('mends as it goes what can be told at once: quotes, comments, commas, literals of Python', () => {
    const stream = argumentStream()
    stream.push('```json\n{\'a\': True, // yes\n b: "x\ny",')
    expect(stream.value).toEqual({ a: true, b: 'x\ny' })
    stream.push('}\n```')
    expect(stream.end()).toMatchObject({
      value: { a: true, b: 'x\ny' },
      tags: ['fence', 'single_quotes', 'python_literal', 'comment', 'unquoted_key', 'control_character', 'trailing_comma'],
    })
  })

  it('stands still where only the end can tell what is meant, and reads on there', () => {
    const stream = argumentStream()
    stream.push('{"a":"say "b" twice","c":1')
    expect(stream.value).toEqual({ a: 'say ' })
    stream.push('}')
    expect(stream.end()).toMatchObject({ value: { a: 'say "b" twice', c: 1 }, tags: ['unescaped_quote'] })
  })

  it('holds a comma at the end of a text back until it is known to belong to it', () => {
    const stream = argumentStream()
    stream.push('{"a":"x, ')
    expect(stream.value).toEqual({ a: 'x' })
    stream.push('y')
    expect(stream.value).toEqual({ a: 'x, y' })
  })

  it('two commas are a part of the text, however they come', () => {
    for (const deltas of [['{"a":"1,,"b":1}'], ['{"a":"1,', ',"b":1}'], ['{"a":"1', ',', ' ', ',', '"b":1}']]) {
      const stream = argumentStream()
      for (const delta of deltas) stream.push(delta)
      expect(stream.end()).toEqual(parseArguments(deltas.join('')))
    }
  })

  it('a text is there, and told, when its first quote is', () => {
    const stream = argumentStream()
    stream.push('{"a":"')
    expect([show(stream.push('\\')), stream.value]).toEqual([['/a +""'], { a: '' }])
    expect(show(stream.push('n'))).toEqual(['/a +"\\n"'])
  })

  it('stays empty, and tells nothing, when the text is no object', () => {
    for (const text of ['[{"a":1}]', '"abc', '[1,2', '(1, {"a":1})']) {
      const stream = argumentStream()
      const changes = [...text].flatMap((character) => stream.push(character))
      expect([changes, stream.end().ok && text, stream.value]).toEqual([[], false, {}])
    }
  })

  it('a listener of one place is called once, when its value is whole', () => {
    const stream = argumentStream()
    const heard: unknown[] = []
    stream.onComplete('/city', (value) => heard.push(value))
    const stop = stream.onComplete('/unit', (value) => heard.push(value))
    stream.push('{"city":"Os')
    expect(heard).toEqual([])
    stream.push('lo","unit"')
    expect(heard).toEqual(['Oslo'])
    stop()
    stream.push(':"c"}')
    expect(heard).toEqual(['Oslo'])
  })

  it('what a provider cut off is truncated, whatever it looks like', () => {
    for (const finish of ['length', 'content-filter', 'error'] as const) {
      const stream = argumentStream()
      stream.push('{"a":1}')
      expect(stream.end({ finish })).toEqual(parseArguments('{"a":1}', { complete: false }))
    }
  })

  it('a number at the end is whole when the provider says that the text is', () => {
    for (const [finish, ok] of [
      ['tool-calls', true],
      ['stop', true],
      ['other', false],
      [undefined, false],
    ] as const) {
      const stream = argumentStream()
      stream.push('{"a":1')
      expect(stream.end({ finish }).ok).toBe(ok)
    }
  })

  it('ends as the whole would: no text, another kind of value, an encoded text, a text that is too long', () => {
    for (const text of [
      '',
      ' ',
      'null',
      '5',
      '[1]',
      '"{\\"a\\":1}"',
      '{"__proto__":1}',
      '{"constructor":{"prototype":1},"constructor":1}',
      'x'.repeat(200),
    ]) {
      const stream = argumentStream({ maxLength: 100 })
      for (const delta of text) stream.push(delta)
      expect(stream.end()).toEqual(parseArguments(text, { maxLength: 100 }))
    }
  })

  it('is led by a schema at its end, as parseArguments is', () => {
    const schema = Type.Object({ ids: Type.Array(Type.Integer()), limit: Type.Optional(Type.Integer()) })
    const stream = argumentStream({ schema })
    stream.push('{"ids":"[1]","limit":null}')
    expect(stream.value).toEqual({ ids: '[1]', limit: null })
    expect(stream.end()).toMatchObject({
      value: { ids: [1] },
      changes: [
        { tag: 'parsed_json', path: '/ids' },
        { tag: 'null_dropped', path: '/limit' },
      ],
    })
  })

  it('ends once: the same result again, and no more deltas', () => {
    const stream = argumentStream()
    stream.push('{}')
    expect(stream.end()).toBe(stream.end({ finish: 'length' }))
    expect(() => stream.push('x')).toThrow('push: the stream has ended')
  })
})
