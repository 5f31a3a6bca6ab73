import { describe, expect, it } from 'vitest'
import { MAX_LEVELS, toArgsSchema } from './document-schema.ts'

describe('the parameters of a described tool', () => {
  it('become JSON Schema for type names of any language', () => {
    const parameters = {
      type: 'dict',
      properties: {
        city: { type: 'str', description: 'A city', example: 'Oslo' },
        days: { type: 'int', default: 3 },
        level: { type: 'float', enum: [0.5, 1] },
        exact: { type: 'Boolean' },
        tags: { type: 'list', items: { type: 'String' } },
        place: { type: 'dict', properties: { code: { type: 'str' } }, required: ['code'] },
      },
      required: ['city', 'city', 'country'],
    }
    expect(toArgsSchema(parameters)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'A city' },
        days: { type: 'integer', default: 3 },
        level: { type: 'number', enum: [0.5, 1] },
        exact: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        place: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
      },
      required: ['city'],
    })
  })

  it('accept any value for an unknown type', () => {
    expect(toArgsSchema({ properties: { when: { type: 'Calendar' }, odd: 7 } })).toMatchObject({
      properties: { when: {}, odd: {} },
    })
    expect(toArgsSchema({})).toEqual({ type: 'object', properties: {} })
  })

  it('drop everything that would break a schema', () => {
    const odd = {
      properties: { a: { type: ['str'], enum: [{}], items: 'str', properties: [], required: true, pattern: '(a+)+$' } },
    }
    expect(toArgsSchema(odd)).toEqual({ type: 'object', properties: { a: {} } })
  })

  it('reach no prototype, and have a maximum depth', () => {
    const schema = toArgsSchema(JSON.parse('{"properties":{"__proto__":{"type":"str"}},"required":["__proto__","toString"]}'))
    expect(JSON.stringify(schema)).toBe('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"type":"object"}')
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 100_000; level++) deep = { type: 'list', items: deep }
    expect(JSON.stringify(toArgsSchema({ properties: { deep } })).match(/items/g)).toHaveLength(MAX_LEVELS - 1)
  })
})
