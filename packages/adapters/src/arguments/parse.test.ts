import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { argumentStream, type ParseArgumentsOptions, parseArguments } from './index.ts'

const codeOf = (text: string, options?: ParseArgumentsOptions) => {
  const parsed = parseArguments(text, options)
  return parsed.ok ? parsed.tags : parsed.code
}

describe('arguments that can be parsed', () => {
  it('T4-12: returns a valid object as it is, without a tag', () => {
    const value = { a: 1, b: [null, { c: 'x' }] }
    expect(parseArguments('{"a":1,"b":[null,{"c":"x"}]}')).toEqual({ ok: true, value, tags: [], coercions: [] })
  })

  it('T4-12: returns no arguments for empty text, white space and the text null', () => {
    for (const text of ['', ' ', '\n\t', 'null', ' null\n'])
      expect(parseArguments(text)).toEqual({ ok: true, value: {}, tags: ['empty'], coercions: [] })
  })

  it('T4-12: decodes a JSON string that contains an object', () => {
    expect(parseArguments('"{\\"a\\":1}"')).toMatchObject({ value: { a: 1 }, tags: ['double_encoded'] })
  })

  it('T4-12: repairs and tags unambiguous text', () => {
    expect(parseArguments("{'a':1,}")).toMatchObject({ value: { a: 1 }, tags: ['single_quotes', 'trailing_comma'] })
  })
})

describe('a repeated key', () => {
  it("is refused with its name and position if the values differ and the text isn't JSON", () => {
    const message = 'The arguments contain the same key twice with different values (at character 9): "to". Write each key once.'
    expect(parseArguments('{to:"a", to:"b"}')).toMatchObject({ ok: false, code: 'repeated_key', at: 9, message })
    for (const text of ['```\n{"a":1,"a":2}\n```', '{"b":{"a":1,"a":{}},}', '{"a":{"x":1},"a":{"x":2}']) {
      expect(codeOf(text, { complete: true })).toBe('repeated_key')
      const stream = argumentStream()
      for (const character of text) stream.push(character)
      expect(stream.end({ complete: true })).toMatchObject({ ok: false, code: 'repeated_key' })
    }
  })

  it('is accepted in valid JSON, as by JSON.parse, and if both values are equal', () => {
    expect(parseArguments('{"a":1,"a":2}')).toMatchObject({ value: { a: 2 }, tags: [] })
    const stream = argumentStream()
    stream.push('{"a":1,"a":')
    stream.push('2}')
    expect(stream.end()).toMatchObject({ value: { a: 2 }, tags: [] })
    expect(parseArguments('{"a":{"x":[1]},"a":{"x":[1]},}')).toMatchObject({ value: { a: { x: [1] } }, tags: ['trailing_comma'] })
    expect(parseArguments('{toString:1}')).toMatchObject({ value: { toString: 1 } })
  })
})

describe('an undeclared argument', () => {
  const schema = Type.Object({ path: Type.String(), dry_run: Type.Optional(Type.Boolean()) })

  it('is refused if it was probably meant as a declared one', () => {
    const message =
      'The arguments contain an undeclared argument: /dryRun is not declared (did you mean "dry_run"?). Use the names in the schema.'
    expect(parseArguments('{"path":"a","dryRun":true}', { schema })).toMatchObject({ code: 'undeclared_key', message })
    expect(codeOf('{"name":"remove","arguments":{"path":"a"}}', { schema })).toBe('undeclared_key')
    const stream = argumentStream({ schema })
    stream.push('{"path":"a","dryRun":true}')
    expect(stream.end()).toMatchObject({ code: 'undeclared_key', message })
  })

  it('is removed otherwise', () => {
    const coercions = [{ tag: 'stripped', path: '/note' }]
    expect(parseArguments('{"path":"a","note":"x"}', { schema })).toMatchObject({ value: { path: 'a' }, coercions })
  })
})

describe('arguments that are refused', () => {
  it('T4-12: include text without any reading, reported with a position and an excerpt', () => {
    const message = 'The arguments are missing a value (at character 5). Write a value after each colon and between commas.'
    expect(parseArguments('{"a":}')).toEqual({ ok: false, code: 'missing_value', at: 5, excerpt: '{"a":}', message })
  })

  it("T4-12: include JSON that isn't an object", () => {
    for (const text of ['5', '[1]', 'true', '"x"', '"null"', '"[1]"', '"\\"[]\\""']) expect(codeOf(text)).toBe('not_an_object')
  })

  it('include an object in more than four layers of JSON strings', () => {
    const inLayers = (layers: number) =>
      Array<string>(layers)
        .fill('{"a":1}')
        .reduce((text) => JSON.stringify(text))
    expect(codeOf(inLayers(5))).toEqual(['double_encoded'])
    expect(codeOf(inLayers(6))).toBe('not_an_object')
    expect(codeOf(JSON.stringify(JSON.stringify('{"__proto__":1}')))).toBe('forbidden_key')
  })

  it('include a JSON string whose content needs repair', () => {
    expect(codeOf('"{a:1}"')).toBe('not_an_object')
  })

  it('include text that the provider reported as truncated, even if it can be parsed', () => {
    for (const text of ['{"path":"/srv"}', '{"path":"/s', '']) expect(codeOf(text, { complete: false })).toBe('truncated')
  })

  it('include a number at the very end, unless the provider reported the text as complete', () => {
    expect(codeOf('{"limit":1')).toBe('truncated')
    expect(parseArguments('{"limit":1', { complete: true })).toMatchObject({ value: { limit: 1 }, tags: ['missing_close'] })
    expect(parseArguments('{"limit":1 ')).toMatchObject({ value: { limit: 1 }, tags: ['missing_close'] })
  })

  it('include a key __proto__: nested, escaped, double-encoded, in a list, in other quotes', () => {
    const texts = [
      '{"__proto__":{"isAdmin":true}}',
      '{"a":{"b":[{"__proto__":1}]}}',
      '{"\\u005f_proto__":{}}',
      '"{\\"__proto__\\":{}}"',
      '{"__proto__":null}',
      "{'__proto__': {}}",
      '{__proto__: {}}',
    ]
    for (const text of texts) expect(codeOf(text)).toBe('forbidden_key')
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('include a forbidden key in parentheses', () => {
    expect(codeOf('{"constructor":({"prototype":{"x":1}})}')).toBe('forbidden_key')
  })

  it('report the position of a forbidden key', () => {
    expect(parseArguments('{"a":{"b":{"__proto__":1}}}')).toMatchObject({ code: 'forbidden_key', at: 11 })
  })

  it('include text that contains only comments', () => {
    for (const text of ['// {"path":"/x"}', '# delete all', '/* x */']) expect(codeOf(text)).toBe('empty')
  })

  it("don't include harmless comments that contain brackets, words or quotes", () => {
    for (const comment of ['// see [1] and {x}', '// note: "as is"', "# the user's", '# "x" or "y"', '/* { "a" } */'])
      expect(codeOf(`{"a": 1, ${comment}\n"b": 2}`)).toEqual(['comment'])
  })

  it('include a constructor with a prototype, but no other constructor', () => {
    for (const text of [
      '{"constructor":{"prototype":{"x":1}}}',
      '{"a":[{"constructor":{"prototype":null}}]}',
      "{constructor:{'prototype':1}}",
    ])
      expect(codeOf(text)).toBe('forbidden_key')
    for (const text of ['{"constructor":"Ada"}', '{"constructor":{"name":1}}', '{"constructor":null}', '{"prototype":{}}'])
      expect(codeOf(text)).toEqual([])
  })

  it('include values nested deeper than 512 levels, in valid and in invalid JSON', () => {
    const nested = (depth: number, end = '1') => `${'{"a":'.repeat(depth)}${end}${'}'.repeat(depth)}`
    expect(codeOf(nested(512))).toEqual([])
    expect(codeOf(nested(513))).toBe('too_deep')
    expect(codeOf(nested(512, 'True'))).toEqual(['python_literal'])
    expect(codeOf(nested(513, 'True'))).toBe('too_deep')
    expect(codeOf(nested(4), { maxDepth: 3 })).toBe('too_deep')
  })

  it("include text that exceeds the length limit, which isn't parsed", () => {
    expect(codeOf('{"a":"123"}', { maxLength: 5 })).toBe('too_large')
    expect(codeOf('{"a":"123"}', { maxLength: 11 })).toEqual([])
  })

  it('include an object with too many keys, in valid and in invalid JSON', () => {
    expect(codeOf('{"a":1,"b":2}', { maxKeys: 2 })).toEqual([])
    expect(codeOf('{"a":1,"b":2}', { maxKeys: 1 })).toBe('too_large')
    expect(codeOf("{'a':1,'b':2}", { maxKeys: 1 })).toBe('too_large')
  })
})

describe('limits', () => {
  it('throw if they are invalid', () => {
    for (const options of [
      { maxDepth: Number.NaN },
      { maxLength: -1 },
      { maxKeys: 0 },
      { maxDepth: 5_000 },
      { maxLength: '9' as never },
    ])
      expect(() => parseArguments('{}', options)).toThrow(/^max(Depth|Length|Keys) must be a number from 1 to/)
  })
})

describe('arguments with a schema', () => {
  const schema = Type.Object({
    ids: Type.Array(Type.Integer()),
    filter: Type.Optional(Type.Object({ name: Type.String() })),
    limit: Type.Optional(Type.Integer()),
    note: Type.Optional(Type.String()),
  })
  const changesOf = (text: string) => {
    const parsed = parseArguments(text, { schema })
    return parsed.ok && { value: parsed.value, changes: parsed.coercions.map(({ tag, path }) => `${tag} ${path}`) }
  }

  it('are coerced from strings to lists, objects and numbers, and each change is listed with its path', () => {
    expect(changesOf('{"ids":"[1,2]","filter":"{\\"name\\":\\"x\\"}","limit":"5"}')).toEqual({
      value: { ids: [1, 2], filter: { name: 'x' }, limit: 5 },
      changes: ['parsed_json /ids', 'parsed_json /filter', 'coerced /limit'],
    })
  })

  it('lose a null for an optional property', () => {
    expect(changesOf('{"ids":[],"limit":null}')).toEqual({ value: { ids: [] }, changes: ['null_dropped /limit'] })
  })

  it("keep a string if the schema requires a string, or if the whole string doesn't represent the required type", () => {
    expect(changesOf('{"ids":"[1,2","note":"[1,2]"}')).toEqual({ value: { ids: '[1,2', note: '[1,2]' }, changes: [] })
  })

  it("are tagged if an integer can't be represented exactly and the schema requires an integer", () => {
    expect(parseArguments('{"ids":[9007199254740993]}', { schema })).toMatchObject({ tags: ['unsafe_number'] })
    expect(parseArguments('{"ids":[9007199254740991]}', { schema })).toMatchObject({ tags: [] })
  })

  it('finds an unsafe integer of a recursive union in linear time', () => {
    const a = { type: 'object', properties: { p: { $ref: '#/$defs/a' }, n: { type: 'integer' } } }
    // Following each member at each level would take 2^400 steps, and following each union again and again 30^400.
    const members = [a, { ...a, title: 'b' }, ...Array.from({ length: 30 }, () => ({ $ref: '#/$defs/a' }))]
    const schema = { type: 'object', properties: { v: { $ref: '#/$defs/a' } }, $defs: { a: { anyOf: members } } }
    const nested = (inner: string) => `{"v":${'{"p":'.repeat(400)}${inner}${'}'.repeat(401)}`
    expect(codeOf(nested('{}'), { schema })).toEqual([])
    expect(codeOf(nested('{"n":9007199254740993}'), { schema })).toEqual(['unsafe_number'])
  })

  it('are also tagged without a schema if an integer loses digits', () => {
    expect(codeOf('{"a":12345678901234567890}')).toEqual(['unsafe_number'])
    expect(codeOf('{"a":{"ids":[1,-9007199254740993]}}')).toEqual(['unsafe_number'])
    expect(codeOf('{"a":9007199254740991,"b":"12345678901234567890","c":0.12345678901234567,"d":9007199254740992}')).toEqual([])
  })

  it('are tagged for lost digits whatever the schema requires', () => {
    const text = Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) })
    expect(parseArguments('{"a":12345678901234567890}', { schema: text })).toMatchObject({ tags: ['unsafe_number'] })
    expect(parseArguments('{"a":"x","b":12345678901234567890}', { schema: text })).toMatchObject({ tags: ['unsafe_number'] })
    expect(parseArguments('{"a":"12345678901234567890","b":1e300}', { schema: text })).toMatchObject({ tags: [] })
  })

  it('are tagged if they became infinite', () => {
    expect(codeOf('{"a":1e400}')).toEqual(['unsafe_number'])
    expect(codeOf('{a:[-1e400]}')).toEqual(['unquoted_key', 'unsafe_number'])
    expect(codeOf('{"a":1e308}')).toEqual([])
  })

  it("aren't tagged for digits in keys and strings of JSON", () => {
    expect(codeOf('{"9007199254740993":"\\"9007199254740993","b":9007199254740992}')).toEqual([])
  })

  it('are tagged for lost digits between separators, but not for lost zeros', () => {
    expect(codeOf('{"a":12_345_678_901_234_567_890,"b":1}')).toEqual(['loose_number', 'unsafe_number'])
    expect(codeOf('{"a":1000000000000000000000}')).toEqual([])
    expect(codeOf('{"account":"0000000000000042","count":42}')).toEqual([])
    expect(codeOf('{"a":0.0000000000000001234,"b":1234}')).toEqual([])
    expect(codeOf(`{"a":5${'0'.repeat(200_000)}5}`)).toEqual(['unsafe_number'])
  })

  it('are tagged for lost digits in an object after an empty one, and in double-encoded text', () => {
    expect(codeOf('{}{"a":12345678901234567890}')).toEqual(['repeated_value', 'unsafe_number'])
    expect(codeOf(JSON.stringify('{"a":12345678901234567890}'))).toEqual(['double_encoded', 'unsafe_number'])
  })

  it('are tagged for lost digits in records, tuples, unions and references', () => {
    const big = '9007199254740993'
    const Node = Type.Cyclic({ Node: Type.Object({ id: Type.Integer(), next: Type.Optional(Type.Ref('Node')) }) }, 'Node')
    for (const [property, value] of [
      [Type.Record(Type.String(), Type.Integer()), `{"x":${big}}`],
      [Type.Tuple([Type.String(), Type.Integer()]), `["x",${big}]`],
      [Type.Union([Type.Null(), Type.Integer()]), big],
      [Node, `{"id":1,"next":{"id":${big}}}`],
    ] as const) {
      const parsed = parseArguments(`{"a":${value}}`, { schema: Type.Object({ a: property }) })
      expect([property, parsed]).toMatchObject([property, { tags: ['unsafe_number'] }])
    }
  })

  it('are refused if a string is coerced to an object with forbidden keys', () => {
    const inText = Type.Object({ a: Type.Object({ x: Type.Integer() }) })
    expect(parseArguments('{"a":"{\\"x\\":1,\\"constructor\\":{\\"prototype\\":1}}"}', { schema: inText })).toMatchObject({
      code: 'forbidden_key',
    })
  })

  it('are refused, without an exception, if they are too large for a call', () => {
    const list = Type.Object({ a: Type.Array(Type.Integer()) })
    const text = `{"a":[${'0,'.repeat(1_000_000)}0]}`
    expect(parseArguments(text, { schema: list })).toMatchObject({ ok: false, code: 'too_large' })
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`
    expect(parseArguments(deep, { schema: list, maxDepth: 1_000 })).toMatchObject({ ok: false, code: 'too_deep' })
  })

  it("aren't changed without a schema", () => {
    expect(parseArguments('{"ids":"[1]","limit":null}')).toMatchObject({ value: { ids: '[1]', limit: null }, coercions: [] })
  })
})
