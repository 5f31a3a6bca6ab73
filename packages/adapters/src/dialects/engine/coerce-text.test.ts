import { describe, expect, it } from 'vitest'
import { coerceText } from './coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from './declared-types.ts'

/** Returns the JSON for a text, preceded by `~` if the text was coerced. */
function coerce(text: string, schema: object | undefined): string {
  const { json, isCoerced } = coerceText(text, schema)
  return isCoerced ? `~${json}` : json
}
const asType = (text: string, ...types: string[]) => coerce(text, { type: types.length === 1 ? types[0] : types })

describe('plain text', () => {
  it('stays text if only strings or no types are declared', () => {
    for (const schema of [{ type: 'string' }, undefined, { enum: ['5', 'x'] }])
      for (const text of ['5', 'null', ' x\n', '{}', 'true']) expect(coerce(text, schema)).toBe(JSON.stringify(text))
  })

  it('becomes the value that it spells if any value is declared', () => {
    for (const schema of [{}, { type: 'any' }, { $ref: '#/none' }]) {
      for (const text of ['5', 'null', '{}', 'true', '[1, "a"]']) expect(coerce(text, schema)).toBe(text)
      for (const text of [' x\n', '5 km', '{a}', 'None', '"a"']) expect(coerce(text, schema)).toBe(JSON.stringify(text))
    }
  })

  it('becomes null, if null is declared, before any other type', () => {
    expect(asType('null', 'string', 'null')).toBe('null')
    expect(asType('NULL', 'string', 'null')).toBe('"NULL"')
    expect(coerce('null', { type: 'integer', nullable: true })).toBe('null')
  })

  it('becomes null if no string is declared, whether or not null is declared', () => {
    expect(asType('null', 'integer')).toBe('~null')
    expect(asType('None', 'array')).toBe('~null')
  })

  it('becomes a number with all of its digits', () => {
    expect(asType(' 42 ', 'integer')).toBe('42')
    expect(asType('12345678901234567890', 'integer')).toBe('12345678901234567890')
    expect(asType('-2.50', 'number')).toBe('-2.50')
    expect(asType('5', 'string', 'number')).toBe('5')
    expect(asType('1e+21', 'integer')).toBe('1e+21')
  })

  it('keeps all digits when it is repaired, or stays text', () => {
    const long = '12345678901234567890'
    expect(asType(`{"id": ${long},}`, 'object')).toBe(`~{"id": ${long}}`)
    expect(asType(`{id: ${long}}`, 'object')).toBe(`"{id: ${long}}"`)
    expect(asType('1.2345678901234567891e19', 'integer')).toBe('~1.2345678901234567891e19')
  })

  it('becomes an integer if its fraction is zero', () => {
    expect(asType('5.0', 'integer')).toBe('~5')
    expect(asType('1e3', 'integer')).toBe('~1000')
    expect(asType('1e-999', 'integer')).not.toBe('~0')
  })

  it("may be a number in another notation if strings aren't declared", () => {
    expect(asType('007', 'integer')).toBe('~7')
    expect(asType('-00', 'integer')).toBe('~-0')
    expect(asType('+5', 'number')).toBe('~5')
    expect(asType('007', 'integer', 'string')).toBe('"007"')
    expect(asType('3.5', 'integer')).toBe('~3.5')
  })

  it('stays text if no digit could be kept', () => {
    for (const text of ['1e999', 'NaN', 'Infinity', '3.14.159', '', '1,5', '0x1F', '1_000'])
      expect(asType(text, 'number')).toBe(JSON.stringify(text))
  })

  it('becomes a boolean in any case of letters', () => {
    expect(asType('false', 'boolean')).toBe('false')
    expect(asType('True', 'boolean')).toBe('~true')
    expect(asType('FALSE', 'boolean')).toBe('~false')
    for (const text of ['yes', '1', 'truely']) expect(asType(text, 'boolean')).toBe(JSON.stringify(text))
  })

  it('becomes an object or a list as it was written, if declared', () => {
    expect(asType('{"a":  1}', 'object')).toBe('{"a":  1}')
    expect(asType('[1]', 'array', 'object')).toBe('[1]')
    expect(asType('[1]', 'object')).toBe('"[1]"')
    expect(asType('Error: none', 'array', 'string')).toBe('"Error: none"')
  })

  it("may be invalid JSON if strings aren't declared", () => {
    expect(asType("{'a': True}", 'object')).toBe('~{"a":true}')
    expect(asType("['a',]", 'array')).toBe('~["a"]')
    expect(asType("{'a': True}", 'object', 'string')).toBe(`"{'a': True}"`)
  })
})

describe('declared types', () => {
  const typesOf = (schema: unknown, root: unknown = schema) => [...declaredTypes(schema, root).types].sort()

  it('are found in unions, enums, constants and references', () => {
    const root = { $defs: { 'a/b': { type: 'integer' } } }
    expect(typesOf({ anyOf: [{ type: 'object' }, { oneOf: [{ type: 'null' }] }] })).toEqual(['null', 'object'])
    expect(typesOf({ enum: ['a', 1, null] })).toEqual(['null', 'number', 'string'])
    expect(typesOf({ const: false })).toEqual(['boolean'])
    expect(typesOf({ allOf: [{ $ref: '#/$defs/a~1b' }] }, root)).toEqual(['integer'])
    expect(typesOf({ properties: {} })).toEqual(['object'])
    expect(typesOf({ items: {} })).toEqual(['array'])
  })

  it('may have type names of other languages', () => {
    expect(typesOf({ type: 'float' })).toEqual(['number'])
    expect(typesOf({ type: ['dict', 'bool'] })).toEqual(['boolean', 'object'])
  })

  it('are found in schemas that refer to themselves many times', () => {
    const root: Record<string, unknown> = {
      anyOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#', nullable: true }, { type: 'integer' }],
    }
    expect(typesOf(root)).toEqual(['integer', 'null'])
    expect(propertyOf(root, root, 'a')).toBeUndefined()
  })
})

describe('the schema of a property or an item', () => {
  it('is found wherever it is declared', () => {
    const schema = { allOf: [{ additionalProperties: { type: 'number' } }, { properties: { a: { type: 'integer' } } }] }
    expect(propertyOf(schema, schema, 'a')).toEqual({ type: 'integer' })
    expect(propertyOf(schema, schema, 'b')).toEqual({ type: 'number' })
    expect(itemsOf({ anyOf: [{ type: 'null' }, { items: { type: 'string' } }] }, {})).toEqual({ type: 'string' })
  })

  it('is never inherited from a prototype', () => {
    expect(propertyOf({ properties: {} }, {}, 'constructor')).toBeUndefined()
    expect(propertyOf({ properties: {} }, {}, '__proto__')).toBeUndefined()
  })
})
