import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../test/tools.ts'
import { toSpec } from './spec.ts'

function toolOf(args: object) {
  return defineTool({ name: 'probe', description: 'Probe.', args: args as ReturnType<typeof Type.Object>, execute: () => null })
}

function parametersOf(args: object) {
  return toSpec(toolOf(args)).function.parameters
}

describe('toSpec', () => {
  it('T2-7: returns the canonical form', () => {
    expect(toSpec(toolOf(Type.Object({ city: Type.String({ description: 'City' }) })))).toEqual({
      type: 'function',
      function: {
        name: 'probe',
        description: 'Probe.',
        parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'City' } } },
      },
    })
  })

  it('T0-23: round-trips through JSON', () => {
    const spec = toSpec(toolOf(Type.Object({ text: Type.String({ description: 'a "quoted" \\ text' }) })))
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec)
  })

  it('returns the same object for the same tool', () => {
    const tool = toolOf(Type.Object({}))
    expect(toSpec(tool)).toBe(toSpec(tool))
  })

  it('does not require a property with a default, at any depth, and leaves the schema unchanged', () => {
    const inner = Type.Object({ x: Type.Number({ default: 1 }), y: Type.Number() })
    const args = Type.Object({ a: Type.String({ default: 'z' }), inner, list: Type.Array(inner) })
    const before = JSON.stringify(args)
    const parameters = parametersOf(args)
    expect(parameters.required).toEqual(['inner', 'list'])
    expect(parameters.properties).toMatchObject({ inner: { required: ['y'] }, list: { items: { required: ['y'] } } })
    expect(JSON.stringify(args)).toBe(before)
  })

  it('leaves `required` out if no property is required', () => {
    expect(parametersOf(Type.Object({ a: Type.String({ default: 'z' }) }))).not.toHaveProperty('required')
  })

  it('T2-23: has `properties` even for a tool without arguments', () => {
    expect(parametersOf({ type: 'object' })).toEqual({ type: 'object', properties: {} })
  })

  it('does not require properties with a default in a nullable object, where defaults are filled in', () => {
    const args = Type.Object({
      box: Type.Union([Type.Object({ w: Type.Number({ default: 1 }), h: Type.Number() }), Type.Null()]),
    })
    expect(parametersOf(args)).toMatchObject({ properties: { box: { anyOf: [{ required: ['h'] }, { type: 'null' }] } } })
  })

  it('keeps `required` in a union of objects, where defaults are not filled in', () => {
    const one = Type.Object({ w: Type.Number({ default: 1 }) })
    const other = Type.Object({ h: Type.Number() })
    const args = Type.Object({ box: Type.Union([one, other]), both: Type.Intersect([one, other]) })
    expect(parametersOf(args)).toMatchObject({
      properties: {
        box: { anyOf: [{ required: ['w'] }, { required: ['h'] }] },
        both: { allOf: [{ required: ['w'] }, { required: ['h'] }] },
      },
    })
  })

  it('handles properties named like keywords or like properties of Object.prototype', () => {
    const args = Type.Object({ properties: Type.String(), required: Type.String({ default: 'r' }), constructor: Type.String() })
    expect(parametersOf(args)).toEqual({
      type: 'object',
      required: ['properties', 'constructor'],
      properties: { properties: { type: 'string' }, required: { type: 'string', default: 'r' }, constructor: { type: 'string' } },
    })
  })

  describe('T2-22: the spec of a strict tool', () => {
    const strictly = (args: object) => toSpec(defineTool({ ...toolOf(args), strict: true })).function.parameters
    const inner = Type.Object({ a: Type.String() })

    it('closes every object whose schema says nothing else, and leaves the schema unchanged', () => {
      const args = Type.Object({
        inner,
        list: Type.Array(inner),
        choice: Type.Union([inner, Type.Null()]),
        free: Type.Unsafe({ type: 'object' }),
        open: Type.Object({}, { additionalProperties: true }),
        map: Type.Record(Type.String(), inner),
      })
      const before = JSON.stringify(args)
      const closed = { ...inner, additionalProperties: false }
      expect(strictly(args)).toMatchObject({
        additionalProperties: false,
        properties: {
          inner: closed,
          list: { items: closed },
          choice: { anyOf: [closed, { type: 'null' }] },
          free: { additionalProperties: false },
          open: { additionalProperties: true },
        },
      })
      expect(strictly(args).properties).not.toMatchObject({ map: { additionalProperties: false } })
      expect(JSON.stringify(args)).toBe(before)
    })

    it('closes definitions, but not the parts of an intersection', () => {
      const args = { type: 'object', $defs: { inner }, properties: { both: Type.Intersect([inner, Type.Object({ b: inner })]) } }
      expect(strictly(args)).toMatchObject({ $defs: { inner: { additionalProperties: false } } })
      const { both } = strictly(args).properties as { both: { allOf: object[] } }
      expect(both.allOf[0]).not.toHaveProperty('additionalProperties')
      expect(both.allOf[1]).toMatchObject({ properties: { b: { additionalProperties: false } } })
    })

    it('T2-23: closes a tool without arguments', () => {
      expect(strictly({ type: 'object' })).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    })

    it('leaves the objects of a tool open if the tool is not strict', () => {
      expect(parametersOf(Type.Object({ inner }))).not.toHaveProperty('additionalProperties')
    })
  })

  it('does not contain the examples', () => {
    const tool = defineTool({ ...toolOf(Type.Object({ a: Type.String() })), examples: [{ args: { a: 'x' } }] })
    expect(JSON.stringify(toSpec(tool))).not.toContain('example')
  })
})
