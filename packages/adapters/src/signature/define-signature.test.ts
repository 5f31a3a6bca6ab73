import { defineTool, jsonSchema, validate } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { AdapterError, isAdapterError } from '../adapter-error.ts'
import { defineSignature } from './define-signature.ts'
import { fieldKind, isOptionalField, Tool, ToolCalls, Tools } from './tool-fields.ts'

/** The properties that all Standard Schemas have. */
const ofLibrary = (vendor: string) => ({ '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) } })

describe('defineSignature', () => {
  it.each([
    ['an object', { type: 'object', properties: { city: ofLibrary('zod') } }, '/properties/city'],
    ['an array', Type.Array(ofLibrary('zod') as never), '/items'],
    ['a union', Type.Union([Type.Null(), ofLibrary('zod') as never]), '/anyOf/1'],
  ])('refuses a schema of another library in %s of a field', (_, field, at) => {
    const define = () => defineSignature({ instructions: '', inputs: {}, outputs: { place: field as never } })
    expect(define).toThrow(`defineSignature: outputs.place contains a schema from zod at ${at}. Write it with TypeBox`)
  })

  it.each<[string, object, string]>([
    ['an unknown type', { type: 'float' }, 'has the type "float" at its root. Write "number".'],
    ['a dangling reference', { $ref: '#/$defs/city' }, 'refers to "#/$defs/city" at /$ref.'],
  ])('refuses a field with %s', (_, field, words) => {
    const define = () => defineSignature({ instructions: '', inputs: {}, outputs: { place: jsonSchema(field) } as never })
    expect(define).toThrow(`defineSignature: outputs.place ${words}`)
  })

  it.each([undefined, null, 5, []])("refuses %o, which isn't a signature", (declared) => {
    expect(() => defineSignature(declared as never)).toThrow("defineSignature: pass a string, such as 'question -> answer'")
  })

  it('returns the fields unchanged', () => {
    const inputs = { question: Type.String() }
    const outputs = { answer: Type.String() }
    const signature = defineSignature({ instructions: 'Answer.', inputs, outputs })
    expect(signature).toEqual({ instructions: 'Answer.', inputs, outputs })
  })

  it('refuses a signature without outputs', () => {
    expect(() => defineSignature({ instructions: '', inputs: {}, outputs: {} })).toThrow('outputs is empty')
    expect(() => defineSignature('question ->')).toThrow('outputs is empty')
  })

  it.each<[string, object, string]>([
    [
      'a field from zod',
      { outputs: { ok: ofLibrary('zod') } },
      "outputs.ok is a schema from zod that can't be converted to JSON Schema. Use zod 4.2 or newer.",
    ],
    [
      'an input from valibot',
      { inputs: { q: ofLibrary('valibot') } },
      "inputs.q is a schema from valibot that can't be converted to JSON Schema. Write toStandardJsonSchema(schema)",
    ],
    [
      'a zod schema instead of inputs',
      { inputs: ofLibrary('zod') },
      'inputs is a schema from zod, not an object of fields. Write { name:',
    ],
    ['a field that is not a schema', { outputs: { ok: 'boolean' } }, 'outputs.ok must be a schema. Write it with TypeBox'],
    ['an undefined field', { outputs: { ok: undefined } }, 'outputs.ok must be a schema. Write it with TypeBox'],
    ['no inputs', { inputs: undefined }, 'inputs is not an object of fields.'],
  ])('refuses %s, and shows what to write', (_, wrong, words) => {
    const fields = { instructions: '', inputs: {}, outputs: { ok: Type.Boolean() } }
    expect(() => defineSignature({ ...fields, ...wrong } as never)).toThrow(`defineSignature: ${words}`)
  })

  it('accepts the args of a tool, and a JSON Schema', () => {
    const { args } = defineTool({ name: 't', description: 'T.', args: Type.Object({}), execute: () => 1 })
    const outputs = { a: args, b: Type.Unsafe<boolean>({ type: 'boolean' }) }
    expect(Object.keys(defineSignature({ instructions: '', inputs: {}, outputs }).outputs)).toEqual(['a', 'b'])
  })

  it('converts schemas of other libraries to JSON Schema, and keeps their validators', async () => {
    const accepts = (optional: boolean) => (value: unknown) =>
      value === 'a' || (optional && value === undefined) ? { value } : { issues: [{ message: 'is no a' }] }
    const schemaOf = (validate: (value: unknown) => unknown) => {
      const jsonSchema = { input: () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }) }
      return { '~standard': { version: 1, vendor: 'zod', validate, jsonSchema } } as never
    }
    const { inputs, outputs } = defineSignature({
      instructions: '',
      inputs: { plain: Type.String(), optional: schemaOf(accepts(true)), hint: jsonSchema({ type: 'string' }) },
      outputs: { required: schemaOf(accepts(false)), slow: schemaOf(async (value) => ({ value })) },
    })
    expect(inputs).toEqual({ plain: { type: 'string' }, optional: { type: 'string' }, hint: { type: 'string' } })
    expect(
      Object.entries({ ...inputs, ...outputs })
        .filter(([, field]) => isOptionalField(field))
        .map(([name]) => name),
    ).toEqual(['optional'])
    expect(await validate(outputs.required as object, 'b')).toMatchObject([{ message: 'is no a' }])
    expect(await validate(outputs.required as object, 'a')).toEqual([])
  })

  it('parses a string, and derives default instructions from its names', () => {
    expect(defineSignature('question, context: string[] -> answer').instructions).toBe(
      'From `question`, `context`, write `answer`.',
    )
    expect(defineSignature('-> poem').instructions).toBe('Write `poem`.')
    expect(defineSignature('question -> answer', { instructions: 'Answer.' })).toEqual({
      instructions: 'Answer.',
      inputs: { question: { type: 'string' } },
      outputs: { answer: { type: 'string' } },
    })
  })
})

describe('a schema of a library without Standard Schema', () => {
  class OldSchema {
    readonly _def = {}
    readonly type = 'string'
  }
  const define = (schema: object, place: 'inputs' | 'outputs') => () => {
    const fields = { answer: Type.String() }
    return defineSignature({ instructions: '', inputs: fields, outputs: fields, [place]: { field: schema as never } })
  }

  it.each(['inputs', 'outputs'] as const)('is refused in %s, as a field and inside a field', (place) => {
    const words = `defineSignature: ${place}.field`
    expect(define(new OldSchema(), place)).toThrow(`${words} is a schema from the class OldSchema. Write it with TypeBox`)
    expect(define(Type.Array(new OldSchema() as never), place)).toThrow(
      `${words} contains a schema from the class OldSchema at /items.`,
    )
    expect(define(Type.Object({ default: new OldSchema() as never }), place)).toThrow(`${words} contains a schema from`)
  })

  it('is accepted as an example value', () => {
    expect(define(Type.String({ default: new Date(0) as never, examples: [new OldSchema()] }), 'inputs')).not.toThrow()
  })
})

describe('tool fields of a signature', () => {
  const define = (inputs: Record<string, object>, outputs: Record<string, object>) => () =>
    defineSignature({ instructions: '', inputs: inputs as never, outputs: outputs as never })
  const invalid = (field: string) => expect.objectContaining({ code: 'invalid_tool_fields', field })

  it('T4-17: throw if calls are an output and no tools are an input', () => {
    expect(define({ question: Type.String() }, { tool_calls: ToolCalls() })).toThrow(invalid('tool_calls'))
    for (const field of [Tool(), Tools()]) expect(define({ field }, { tool_calls: ToolCalls() })).not.toThrow()
  })

  it('T4-17: throw if calls are an input or tools are an output', () => {
    expect(define({ calls: ToolCalls() }, { answer: Type.String() })).toThrow(invalid('calls'))
    for (const tools of [Tool(), Tools()]) expect(define({}, { tools })).toThrow(invalid('tools'))
  })

  it('T4-17: throw if there are two fields for calls', () => {
    expect(define({ tools: Tools() }, { first: ToolCalls(), second: ToolCalls() })).toThrow(invalid('second'))
  })

  it('may contain tools without a field for calls', () => {
    expect(define({ tools: Tools() }, { answer: Type.String() })).not.toThrow()
  })

  it('throw an error that isAdapterError recognizes', () => {
    expect(isAdapterError(new AdapterError('invalid_tool_fields', 'wrong'))).toBe(true)
    expect(isAdapterError(new Error('wrong'))).toBe(false)
  })
})

describe('fieldKind', () => {
  it('distinguishes tools, tool calls and plain values', () => {
    expect(fieldKind(Tool())).toBe('tool')
    expect(fieldKind(Tools())).toBe('tools')
    expect(fieldKind(ToolCalls())).toBe('tool_calls')
    expect(fieldKind(Type.String())).toBe('value')
  })

  it('treats any other field as a plain value', () => {
    for (const field of [null, undefined, 5, 'tools', { 'x-field': 'other' }]) expect(fieldKind(field)).toBe('value')
  })

  it('recognizes a copy of the field as JSON', () => {
    expect(fieldKind(JSON.parse(JSON.stringify(Tools())))).toBe('tools')
  })
})
