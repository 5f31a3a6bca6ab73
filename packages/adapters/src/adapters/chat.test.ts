import { defineTool } from '@x/tool-core'
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'
import { chatAdapter as adapter } from './chat.ts'

const listCities = defineTool({ name: 'list_cities', description: 'Cities.', args: Type.Object({}), execute: () => [] })
const answer = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String({ description: 'of a guest' }) },
  outputs: { answer: Type.String() },
})
const review = defineSignature({
  instructions: 'Judge.',
  inputs: { review: Type.String(), stars: Type.Optional(Type.Integer()) },
  outputs: {
    mood: Type.Enum(['good', 'bad']),
    score: Type.Integer({ description: 'from 1 to 5' }),
    tags: Type.Optional(Type.Array(Type.Integer())),
  },
})
const plan = defineSignature({
  instructions: 'Plan.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const say = (text: string) => ({ text, toolCalls: [] })

describe('the request of the chat adapter', () => {
  it('writes every field under its marker, even a single one', () => {
    expect(adapter.format(answer, { question: 'Warm?' }).messages).toEqual([
      {
        role: 'system',
        content: [
          'Answer.',
          'Your input comes in sections, each under its marker:',
          '[[ ## question ## ]]\n(string) of a guest',
          'Write your reply in sections, each under its marker on its own line, in this order:',
          '[[ ## answer ## ]]\n(string)',
          '[[ ## completed ## ]]',
        ].join('\n\n'),
      },
      { role: 'user', content: '[[ ## question ## ]]\nWarm?' },
    ])
  })

  it('describes the allowed values of each field', () => {
    const system = adapter.format(review, { review: 'Fine.' }).messages[0]?.content
    expect(system).toContain('[[ ## mood ## ]]\n(good | bad)')
    expect(system).toContain('[[ ## score ## ]]\n(integer) from 1 to 5')
    expect(system).toContain('(JSON matching this schema: {"type":"array","items":{"type":"integer"}}, optional)')
  })

  it('sends tools through the API, and requests no marker around text next to calls', () => {
    const request = adapter.format(plan, { question: 'Where?', tools: [listCities] })
    expect(request.tools?.map((tool) => tool.function.name)).toEqual(['list_cities'])
    expect(JSON.stringify(request.messages)).not.toContain('reasoning')
  })

  it('omits the end marker if a field has the same name', () => {
    const signature = defineSignature('task -> completed: boolean')
    const system = adapter.format(signature, { task: 't' }).messages[0]?.content
    expect(system?.split('[[ ## completed ## ]]')).toHaveLength(2)
    expect(adapter.parse(signature, say('[[ ## completed ## ]]\ntrue')).outputs).toEqual({ completed: true })
  })
})

describe('the reply to the chat adapter', () => {
  it.each([
    '[[ ## mood ## ]]\ngood\n\n[[ ## score ## ]]\n5\n\n[[ ## completed ## ]]',
    '[[ ## mood ## ]]\ngood\n[[ ## score ## ]]\n5',
    'Sure.\n[[## Mood ##]] "good"\n  [[ ## SCORE ## ]]\n"5"\n[[ ## completed ## ]]\nAnything else?',
    '[[ ## score ## ]]\n```json\n5\n```\n[[ ## mood ## ]]\ngood',
    '[[ ## mood ## ]]\r\ngood\r\n[[ ## score ## ]]\r\n5.0\r\n[[ ## tags ## ]]\r\nnull',
  ])('is parsed: %j', (text) => {
    const { outputs, errors } = adapter.parse(review, say(text))
    expect([outputs, errors]).toEqual([{ mood: 'good', score: 5 }, []])
  })

  it('is coerced to the types in the schemas, and each change is reported', () => {
    const text = '[[ ## mood ## ]]\nbad\n[[ ## score ## ]]\n"4"\n[[ ## tags ## ]]\n[1, "2",]\n[[ ## completed ## ]]'
    const { outputs, recoveredFields } = adapter.parse(review, say(text))
    expect(outputs).toEqual({ mood: 'bad', score: 4, tags: [1, 2] })
    expect(recoveredFields).toEqual([
      { field: 'tags', tags: ['trailing_comma', 'coerced'] },
      { field: 'score', tags: ['coerced'] },
    ])
  })

  it('is the value of a single field without a marker, up to the end marker', () => {
    for (const text of ['Warm.', 'Warm.\n\n[[ ## completed ## ]]\n', '[[ ## answer ## ]]\nWarm.'])
      expect(adapter.parse(answer, say(text)).outputs).toEqual({ answer: 'Warm.' })
  })

  it('accepts an unclosed list only if the reply is known to be complete', () => {
    const signature = defineSignature('text -> tags: string[]')
    const open = '[[ ## tags ## ]]\n["a"'
    expect(adapter.parse(signature, say(open)).errors).toMatchObject([{ code: 'invalid_output', field: 'tags' }])
    expect(adapter.parse(signature, say(`${open}\n[[ ## completed ## ]]`)).outputs).toEqual({ tags: ['a'] })
    expect(adapter.parse(signature, { ...say(open), finishReason: 'stop' }).outputs).toEqual({ tags: ['a'] })
  })

  it('T4-11: reports a missing field by name', () => {
    const { errors } = adapter.parse(review, say('[[ ## mood ## ]]\ngood'))
    expect(errors).toMatchObject([{ code: 'missing_output', field: 'score' }])
  })

  it('T4-8: may have calls without valid text', () => {
    const toolCalls = [{ id: 'a', name: 'list_cities', arguments: '' }]
    const { outputs, errors } = adapter.parse(plan, { text: '', toolCalls })
    expect([outputs, errors]).toEqual([{ reasoning: '', tool_calls: [{ id: 'a', name: 'list_cities', args: {} }] }, []])
  })

  it('refuses keys that could change a prototype', () => {
    const signature = defineSignature({ instructions: '', inputs: {}, outputs: { data: Type.Unsafe<object>({}) } })
    const { outputs, errors } = adapter.parse(signature, say('[[ ## data ## ]]\n{"__proto__":{"isAdmin":true}}'))
    expect([outputs, errors]).toMatchObject([{}, [{ code: 'invalid_output', field: 'data' }]])
  })

  it('never throws, and is parsed twice with the same result', () => {
    const piece = fc.constantFrom('[[ ## mood ## ]]', '[[##score##]]', '\n', '5', 'good', '[', '{"a":', '"', '\\', '**', 'null')
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const response = say(pieces.join(''))
        expect(adapter.parse(review, response)).toEqual(adapter.parse(review, response))
      }),
    )
  })
})
