import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'
import { type CustomAdapterOptions, customAdapter } from './custom.ts'
import { nativeAdapter } from './native.ts'

const listCities = defineTool({ name: 'list_cities', description: 'Cities.', args: Type.Object({}), execute: () => [] })
const review = defineSignature('review -> mood, score: integer', { instructions: 'Judge.' })
const plan = defineSignature({
  instructions: 'Plan.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const lines: CustomAdapterOptions = {
  name: 'lines',
  formatInstructions: ({ instructions, outputs }) =>
    `${instructions}\nOne line for each of: ${Object.keys(outputs).join(', ')}. Like this: <name>: <value>`,
  parse: (_, text) => Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/))),
}
const say = (text: string) => ({ text, toolCalls: [] })

describe('an adapter of two functions', () => {
  const adapter = customAdapter(lines)

  it('T4-19: uses its own instructions, and writes the inputs like other adapters', () => {
    expect(adapter.format(review, { review: 'Fine.' })).toEqual({
      messages: [
        { role: 'system', content: 'Judge.\nOne line for each of: mood, score. Like this: <name>: <value>' },
        { role: 'user', content: 'Fine.' },
      ],
    })
  })

  it('T4-19: parses a reply with its own function, and coerces the values to the schemas', () => {
    const { outputs, errors, recoveredFields } = adapter.parse(review, say('mood: good\nscore: 5\nmore: x'))
    expect([outputs, errors]).toEqual([{ mood: 'good', score: 5 }, []])
    expect(recoveredFields).toEqual([{ field: 'score', tags: ['coerced'] }])
  })

  it('T4-19: handles tools and calls outside its functions', () => {
    const request = adapter.format(plan, { question: 'q', tools: [listCities] })
    expect(request.tools).toEqual(nativeAdapter.format(plan, { question: 'q', tools: [listCities] }).tools)
    const toolCalls = [{ id: 'a', name: 'list_cities', arguments: '{}' }]
    const { outputs, errors } = adapter.parse(plan, { text: '', toolCalls })
    expect([outputs, errors]).toEqual([{ reasoning: '', tool_calls: [{ id: 'a', name: 'list_cities', args: {} }] }, []])
  })

  it('T4-11: reports fields that its function did not return', () => {
    expect(adapter.parse(review, say('mood: good')).errors).toMatchObject([{ code: 'missing_output', field: 'score' }])
  })

  it('T4-9: reports an empty reply as an error', () => {
    expect(adapter.parse(review, say(' ')).errors).toMatchObject([{ code: 'empty_response' }])
  })

  it('writes examples with a third function, which is required for them', () => {
    const signature = defineSignature('a -> b', { instructions: '', examples: [{ inputs: { a: '1' }, outputs: { b: '2' } }] })
    expect(() => adapter.format(signature, { a: 'x' })).toThrow(expect.objectContaining({ code: 'invalid_instructions' }))
    const writing = customAdapter({ ...lines, formatOutputs: (_, outputs) => `b: ${outputs.b}` })
    expect(writing.format(signature, { a: 'x' }).messages[2]).toEqual({ role: 'assistant', content: 'b: 2' })
  })
})

describe('a faulty function', () => {
  const withParse = (parse: () => unknown) => customAdapter({ ...lines, parse: parse as never })

  it.each([
    ['throws', () => JSON.parse('/srv/secret')],
    ['returns a string', () => 'good'],
    ['returns an array', () => ['good']],
    ['returns undefined', () => undefined],
    ['returns a promise', async () => ({ mood: 'good', score: 5 })],
  ])('T4-20: reports parse that %s as an error of the field, without the thrown message', (_, parse) => {
    const { outputs, errors } = withParse(parse).parse(review, say('mood: good'))
    expect(outputs).toEqual({ mood: '' })
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'mood' }])
    expect(errors[0]?.message).not.toContain('secret')
  })

  it('T4-20: reports a value of the wrong type as an error of its field', () => {
    const { errors } = withParse(() => ({ mood: 7, score: 5 })).parse(review, say('x'))
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'mood' }])
  })

  it.each([undefined, null, 7, { messages: [] }])(
    'T4-20: throws for instructions that are %j before the model is called',
    (words) => {
      const adapter = customAdapter({ ...lines, formatInstructions: () => words as never })
      expect(() => adapter.begin(review, { review: 'Fine.' })).toThrow(
        expect.objectContaining({ name: 'AdapterError', code: 'invalid_instructions' }),
      )
    },
  )

  it('T4-20: keeps the cause if the instructions throw', () => {
    const cause = new Error('no template')
    const adapter = customAdapter({
      ...lines,
      formatInstructions: () => {
        throw cause
      },
    })
    expect(() => adapter.format(review, { review: 'Fine.' })).toThrow(expect.objectContaining({ cause }))
  })

  it('is refused when the adapter is created', () => {
    expect(() => customAdapter({ ...lines, parse: undefined as never })).toThrow(
      'customAdapter "lines": parse must be a function, got a value of type undefined',
    )
  })
})

it.each([undefined, null, 'lines'])('refuses %o instead of options, and shows the correct form', (given) => {
  expect(() => customAdapter(given as never)).toThrow('Write customAdapter({ name, formatInstructions, parse }).')
})
