import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type ArgumentChange, argumentStream, parseArguments } from './index.ts'

const show = (changes: readonly ArgumentChange[]) =>
  changes.map(
    ({ pointer, text, isComplete }) =>
      `${pointer || '(all)'}${text === undefined ? '' : ` +${JSON.stringify(text)}`}${isComplete ? ' done' : ''}`,
  )

describe('argumentStream', () => {
  it('grows one object in place, and reports what each delta changed', () => {
    const stream = argumentStream()
    const { value } = stream
    expect(show(stream.push('{"pa'))).toEqual(['(all)'])
    expect(show(stream.push('th":"/s'))).toEqual(['/path +"/s"'])
    expect(value).toEqual({ path: '/s' })
    expect(show(stream.push('rv","n":1'))).toEqual(['/path +"rv" done'])
    expect(value).toEqual({ path: '/srv' })
    expect(show(stream.push('2,"tags":["a'))).toEqual(['/n done', '/tags', '/tags/0 +"a"'])
    expect(value).toEqual({ path: '/srv', n: 12, tags: ['a'] })
    expect(show(stream.push('"]}'))).toEqual(['/tags/0 +"" done', '/tags done'])
    expect(stream.end()).toEqual({ ok: true, value: { path: '/srv', n: 12, tags: ['a'] }, tags: [], coercions: [] })
    expect(stream.value).toBe(value)
  })

  it('reports the current value with each change', () => {
    const stream = argumentStream()
    const changes = stream.push('{"a":{"b":"x"},')
    expect(changes.map(({ pointer, value }) => [pointer, value])).toEqual([
      ['', { a: { b: 'x' } }],
      ['/a', { b: 'x' }],
      ['/a/b', 'x'],
      ['/a', { b: 'x' }],
    ])
  })

  it('escapes pointers as RFC 6901 requires', () => {
    const stream = argumentStream()
    expect(show(stream.push('{"a/b":{"c~d":1,'))).toContain('/a~1b/c~0d done')
  })

  it("returns a snapshot that doesn't grow", () => {
    const stream = argumentStream()
    stream.push('{"a":"x')
    const snapshot = stream.snapshot()
    stream.push('yz"')
    expect([snapshot, stream.value]).toEqual([{ a: 'x' }, { a: 'xyz' }])
  })

  it('repairs unambiguous faults at once: quotes, comments, commas, Python literals', () => {
    const stream = argumentStream()
    stream.push('```json\n{\'a\': True, // yes\n b: "x\ny",')
    expect(stream.value).toEqual({ a: true, b: 'x\ny' })
    stream.push('}\n```')
    expect(stream.end()).toMatchObject({
      value: { a: true, b: 'x\ny' },
      tags: ['fence', 'single_quotes', 'python_literal', 'comment', 'unquoted_key', 'control_character', 'trailing_comma'],
    })
  })

  it('waits where only later text can decide the meaning, and then continues', () => {
    const stream = argumentStream()
    stream.push('{"a":"say "b" twice","c":1')
    expect(stream.value).toEqual({ a: 'say ' })
    stream.push('}')
    expect(stream.end()).toMatchObject({ value: { a: 'say "b" twice', c: 1 }, tags: ['unescaped_quote'] })
  })

  it('holds back a comma at the end of a string until it is known to be part of it', () => {
    const stream = argumentStream()
    stream.push('{"a":"x, ')
    expect(stream.value).toEqual({ a: 'x' })
    stream.push('y')
    expect(stream.value).toEqual({ a: 'x, y' })
  })

  it('keeps two commas as part of the string, however they are split', () => {
    for (const deltas of [['{"a":"1,,"b":1}'], ['{"a":"1,', ',"b":1}'], ['{"a":"1', ',', ' ', ',', '"b":1}']]) {
      const stream = argumentStream()
      for (const delta of deltas) stream.push(delta)
      expect(stream.end()).toEqual(parseArguments(deltas.join('')))
    }
  })

  it('reads the characters directly after a number before it accepts the number', () => {
    for (const text of ['{"a":1#1\n}', '{"a":1//2\n}', '{"a":1# one\n}', '{"a":1// one\n}', '{"a":1/* one */}', '{"a":1/2}']) {
      const stream = argumentStream()
      for (const character of text) stream.push(character)
      expect([text, stream.end()]).toEqual([text, parseArguments(text)])
    }
  })

  it('adds and reports a string at its opening quote', () => {
    const stream = argumentStream()
    stream.push('{"a":"')
    expect([show(stream.push('\\')), stream.value]).toEqual([['/a +""'], { a: '' }])
    expect(show(stream.push('n'))).toEqual(['/a +"\\n"'])
  })

  it("stays empty and reports nothing if the text isn't an object", () => {
    for (const text of ['[{"a":1}]', '"abc', '[1,2', '(1, {"a":1})']) {
      const stream = argumentStream()
      const changes = [...text].flatMap((character) => stream.push(character))
      expect([changes, stream.end().ok && text, stream.value]).toEqual([[], false, {}])
    }
  })

  it('reports changes as plain data', () => {
    const stream = argumentStream()
    const [, text] = stream.push('{"a":"x"')
    expect(JSON.stringify(text)).toBe('{"pointer":"/a","text":"x","isComplete":false,"value":"x"}')
    stream.push('y')
    expect(text?.value).toBe('x')
  })

  it('never shows half of a character', () => {
    const stream = argumentStream()
    const texts = ['{"a":"', '\ud83d', '\ude00', '\ud83d', '\ude00"}'].flatMap((delta) =>
      stream.push(delta).map(({ text }) => text),
    )
    expect(texts.filter((text) => text !== undefined && text !== '')).toEqual(['😀', '😀'])
    expect(stream.end()).toMatchObject({ value: { a: '😀😀' } })
    const broken = argumentStream()
    for (const unit of '{"a":"\ud83d"}\ud83d') broken.push(unit)
    expect(broken.end()).toEqual(parseArguments('{"a":"\ud83d"}\ud83d'))
  })

  it('neither shows nor reports a number that may be truncated, and reports nothing at the end of refused text', () => {
    const stream = argumentStream()
    const heard: unknown[] = []
    for (const pointer of ['/amount', '/note', '']) stream.onComplete(pointer, (value) => heard.push(value))
    stream.push('{"note":"say "b" twice","amount": 12')
    expect([stream.end().ok, heard]).toEqual([false, []])
    const cut = argumentStream()
    cut.push('{"amount": 12')
    expect([cut.end().ok, cut.value]).toEqual([false, {}])
  })

  it('calls a listener once, or only at the end if the text is ambiguous until then', () => {
    for (const [text, ...values] of [
      ['{}{"a":1}', { a: 1 }, 1],
      ['"{\\"a\\":1}"', { a: 1 }, 1],
      ['{"a":(3)}', { a: 3 }, 3],
      ['{"a":1,"a":2}', { a: 2 }, 1],
    ] as const) {
      const stream = argumentStream()
      const heard = new Map<string, unknown[]>()
      for (const pointer of ['', '/a', '/a/0'])
        stream.onComplete(pointer, (value) => heard.set(pointer, [...(heard.get(pointer) ?? []), value]))
      for (const character of text) stream.push(character)
      stream.end()
      expect([heard.get(''), heard.get('/a'), heard.get('/a/0')]).toEqual([[values[0]], [values[1]], undefined])
    }
  })

  it('calls all listeners even if one throws, and lets none of them call push or end', () => {
    const stream = argumentStream()
    const heard: unknown[] = []
    stream.onComplete('/a', () => {
      throw new Error('mine')
    })
    stream.onComplete('/a', () => stream.push('x'))
    stream.onComplete('/b', () => stream.end())
    stream.onComplete('/b', (value) => heard.push(value))
    expect(() => stream.push('{"a":1,"b":2,"c"')).toThrow('mine')
    expect(heard).toEqual([2])
    stream.push(':3}')
    expect(stream.end()).toMatchObject({ value: { a: 1, b: 2, c: 3 } })
  })

  it('accepts `complete` for one call of a truncated reply', () => {
    const stream = argumentStream()
    stream.push('{"a":1}')
    expect(stream.end({ finishReason: 'length', complete: true }).ok).toBe(true)
  })

  it('refuses an invalid JSON pointer', () => {
    expect(() => argumentStream().onComplete('city', () => {})).toThrow('onComplete: "city" is not a JSON pointer. Write "/city"')
  })

  it('calls a listener once, when the value at its pointer is complete', () => {
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

  it('reports text that the provider truncated as truncated, even if it can be parsed', () => {
    for (const finishReason of ['length', 'content-filter', 'error'] as const) {
      const stream = argumentStream()
      stream.push('{"a":1}')
      expect(stream.end({ finishReason })).toEqual(parseArguments('{"a":1}', { complete: false }))
    }
  })

  it('accepts a number at the end if the provider reported the text as complete', () => {
    for (const [finishReason, ok] of [
      ['tool-calls', true],
      ['stop', true],
      ['other', false],
      [undefined, false],
    ] as const) {
      const stream = argumentStream()
      stream.push('{"a":1')
      expect(stream.end({ finishReason }).ok).toBe(ok)
    }
  })

  it('ends with the result for the whole text: empty, not an object, double-encoded, or too long', () => {
    for (const text of [
      '',
      ' ',
      'null',
      '5',
      '[1]',
      '"{\\"a\\":1}"',
      '{"__proto__":1}',
      '{"constructor":{"prototype":1},"constructor":1}',
      '{"a":12345678901234567890}',
      '{}{"a":12345678901234567890}',
      'x'.repeat(200),
    ]) {
      const stream = argumentStream({ maxLength: 100 })
      for (const delta of text) stream.push(delta)
      expect(stream.end()).toEqual(parseArguments(text, { maxLength: 100 }))
    }
  })

  it('is coerced to the schema at its end, as by parseArguments', () => {
    const schema = Type.Object({ ids: Type.Array(Type.Integer()), limit: Type.Optional(Type.Integer()) })
    const stream = argumentStream({ schema })
    stream.push('{"ids":"[1]","limit":null}')
    expect(stream.value).toEqual({ ids: '[1]', limit: null })
    expect(stream.end()).toMatchObject({
      value: { ids: [1] },
      coercions: [
        { tag: 'parsed_json', path: '/ids' },
        { tag: 'null_dropped', path: '/limit' },
      ],
    })
  })

  it('is refused because of the schema with the same message as the whole text', () => {
    const schema = Type.Object({ a: Type.Object({}) })
    const text = '{"a":"{\\"constructor\\":{\\"prototype\\":1}}"}'
    const stream = argumentStream({ schema })
    for (const character of text) stream.push(character)
    expect(stream.end()).toEqual(parseArguments(text, { schema }))
    expect(stream.end()).toMatchObject({ ok: false, code: 'forbidden_key', excerpt: text.slice(0, 60) })
  })

  it('returns the same result when it is ended twice, and then accepts no more deltas', () => {
    const stream = argumentStream()
    stream.push('{}')
    expect(stream.end()).toBe(stream.end({ finishReason: 'length' }))
    expect(() => stream.push('x')).toThrow('push: the stream has ended')
  })
})
